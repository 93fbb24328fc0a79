/* SPDX-License-Identifier: Apache-2.0
 *
 * A node on a sphere that turns at w rad/s; R = radius + thickness is its distance from the centre.
 *
 * Slowly about a horizontal axis, the node is carried down from the top. At the angle phi it needs
 * the friction g sin(phi) and is pressed by g cos(phi) - w^2 R, so it slips when
 *     sin(phi) - mu cos(phi) = -mu w^2 R / g.
 * In one step the velocities belong to the angles half a step around its ends and the normal to one
 * in between, so the last angle at which it sticks is within two steps' turn, 2 w dt, of that.
 *
 * Suddenly, with a surface speed of 5 m/s, the node slips from the first step on: at the top with
 * the acceleration mu g, and further on by
 *     R phi'' = g sin(phi) + mu (g cos(phi) - R phi'^2).
 * Fast, w^2 R / 2 > g: a contact that went along with the surface would throw the node off.
 *
 * About the vertical axis, at the angle alpha from the pole, rho = R sin(alpha): it is carried
 * round the circle if mu >= (g sin + w^2 rho cos) / (g cos - w^2 rho sin).
 *
 * While it is carried, it moves like a point of the sphere: each step adds only rounding.
 */
#include "cases.h"

static const double RADIUS = 0.5, THICKNESS = 0.01;
static const vec Y = {0.0, 1.0, 0.0}, Z = {0.0, 0.0, 1.0};

typedef struct ride {
    world w;
    stn_id sphere, cloth;
    double radius; /* of the sphere */
    vec axis;
    double speed, dt; /* rad/s, s */
    vec start;
    int steps; /* turned so far */
} ride;

/* The node rests for a step; after that, if it is carried, it moves as if it had always been. */
static void ride_open(ride *r, lab *l, vec start, double mu, bool carried)
{
    r->start = start;
    r->steps = 0;
    world_open(&r->w, l, (vec){0.0, 0.0, -LAB_GRAVITY});
    r->sphere = world_add_sphere(&r->w, (vec){0}, r->radius, mu);
    const world_nodes nodes = {1, &start, NULL, THICKNESS, mu};
    r->cloth = world_add_nodes(&r->w, &nodes);
    world_step(&r->w, r->dt);
    if (!carried) return;
    const vec before = turn_apply(turn_about(r->axis, -r->speed * r->dt), start);
    const vec velocity = vec_scale(1.0 / r->dt, vec_sub(start, before));
    world_set_velocity(&r->w, r->cloth, &velocity, 1);
}

/* Turns the sphere by one step; true if the node sticks. */
static bool ride_step(ride *r)
{
    r->steps++;
    world_move(&r->w, r->sphere, (vec){0}, turn_about(r->axis, r->speed * r->dt * r->steps));
    world_step(&r->w, r->dt);
    return world_count_states(&r->w, r->cloth, 1, STN_CONTACT_STICK) == 1;
}

static vec ride_position(ride *r)
{
    vec x;
    world_get_positions(&r->w, r->cloth, &x, 1);
    return x;
}

/* Distance from the point of the sphere that the node started on. */
static double ride_deviation(ride *r)
{
    const vec point = turn_apply(turn_about(r->axis, r->speed * r->dt * r->steps), r->start);
    return vec_distance(ride_position(r), point);
}

/* ---- carried over the top -------------------------------------------------------------------- */

static void check_slip_angle(lab *l, double mu, double speed, int rate)
{
    const double R = RADIUS + THICKNESS;
    const double press = mu * speed * speed * R / LAB_GRAVITY;
    const double slip = atan(mu) - asin(press / sqrt(1.0 + mu * mu));
    ride r = {.radius = RADIUS, .axis = Y, .speed = speed, .dt = 1.0 / rate};
    ride_open(&r, l, vec_scale(R, Z), mu, true);
    const int most = (int)(2.0 * slip / (speed * r.dt));
    double deviation = 0.0;
    while (r.steps < most && ride_step(&r)) deviation = lab_worst(deviation, ride_deviation(&r));
    const double last_angle = speed * r.dt * (r.steps - 1);
    world_close(&r.w);
    lab_add(l, last_angle, slip, fabs(last_angle - slip), 2.0 * speed * r.dt,
            "top/mu=%g/w=%g/dt=1:%d/slip-angle", mu, speed, rate);
    lab_add(l, deviation, 0.0, deviation, r.steps * lab_rounding(R),
            "top/mu=%g/w=%g/dt=1:%d/carried", mu, speed, rate);
}

/* ---- started suddenly ------------------------------------------------------------------------ */

/* R phi' after `duration`, by the classical Runge-Kutta method, with steps so small that its own
 * error is rounding. */
static double slipping_speed(double mu, double duration)
{
    enum { STEPS = 1000 };
    const double R = RADIUS + THICKNESS, g = LAB_GRAVITY, h = duration / STEPS;
    double phi = 0.0, rate = 0.0;
    for (int i = 0; i < STEPS; i++) {
        double k_phi[4], k_rate[4], at = phi, at_rate = rate;
        for (int k = 0; k < 4; k++) {
            k_phi[k] = at_rate;
            k_rate[k] = (g * sin(at) + mu * (g * cos(at) - R * at_rate * at_rate)) / R;
            const double part = k < 2 ? 0.5 * h : h;
            at = phi + part * k_phi[k];
            at_rate = rate + part * k_rate[k];
        }
        phi += h / 6.0 * (k_phi[0] + 2.0 * k_phi[1] + 2.0 * k_phi[2] + k_phi[3]);
        rate += h / 6.0 * (k_rate[0] + 2.0 * k_rate[1] + 2.0 * k_rate[2] + k_rate[3]);
    }
    return R * rate;
}

/* Against mu g t the error is what the curved surface adds: over the time t and the way R phi,
 * slope g phi and pressing mu (v^2 / R + g phi^2 / 2). Against the equation above it is the
 * scheme's: normal and way are those of a step in which the surface turns by w dt, which tilts
 * the forces g (1 + mu) by that much; the node's own turn in a step is far smaller. */
static void check_sudden_start(lab *l, double mu, int rate)
{
    const double R = RADIUS + THICKNESS, g = LAB_GRAVITY, duration = 0.1;
    ride r = {.radius = RADIUS, .axis = Y, .speed = 10.0, .dt = 1.0 / rate};
    ride_open(&r, l, vec_scale(R, Z), mu, false);
    const int steps = (int)lround(duration * rate);
    size_t sliding = 0;
    for (int i = 0; i < steps; i++) {
        ride_step(&r);
        sliding += world_count_states(&r.w, r.cloth, 1, STN_CONTACT_SLIDE);
    }
    vec v;
    world_get_velocities(&r.w, r.cloth, &v, 1);
    world_close(&r.w);
    const double speed = copysign(sqrt(vec_dot(v, v)), v.x), flat = mu * g * duration,
                 curved = slipping_speed(mu, duration);
    const double phi = curved * duration / R;
    const double tilt = r.speed * r.dt;
    const double curvature =
        duration * (g * phi + mu * (curved * curved / R + 0.5 * g * phi * phi));
    const double scheme = duration * g * (1.0 + mu) * tilt;
    lab_add(l, speed, flat, fabs(speed - flat), curvature + scheme, "sudden/mu=%g/dt=1:%d/mu-g-t",
            mu, rate);
    lab_add(l, speed, curved, fabs(speed - curved), scheme, "sudden/mu=%g/dt=1:%d/speed", mu, rate);
    lab_add(l, fabs(v.y), 0.0, fabs(v.y), steps * lab_rounding(R * r.speed),
            "sudden/mu=%g/dt=1:%d/sideways", mu, rate);
    lab_add(l, (double)sliding, steps, fabs((double)sliding - steps), 0.0,
            "sudden/mu=%g/dt=1:%d/sliding-steps", mu, rate);
}

/* ---- round the pole -------------------------------------------------------------------------- */

static double least_friction(double alpha, double speed)
{
    const double pull = speed * speed * (RADIUS + THICKNESS) * sin(alpha), g = LAB_GRAVITY;
    return (g * sin(alpha) + pull * cos(alpha)) / (g * cos(alpha) - pull * sin(alpha));
}

/* A tenth more and less friction than needed: the scheme's directions are off by w dt < 0.02
 * only. */
static void check_pole(lab *l, double alpha, double speed, double share)
{
    const double R = RADIUS + THICKNESS, mu = share * least_friction(alpha, speed);
    ride r = {.radius = RADIUS, .axis = Z, .speed = speed, .dt = 1.0 / 240.0};
    const vec start = {R * sin(alpha), 0.0, R * cos(alpha)};
    ride_open(&r, l, start, mu, true);
    const int steps = 2 * 240;
    double turned = 0.0, deviation = 0.0;
    size_t sliding = 0;
    vec before = start;
    for (int i = 0; i < steps; i++) {
        sliding += !ride_step(&r);
        const vec now = ride_position(&r);
        turned += atan2(before.x * now.y - before.y * now.x, before.x * now.x + before.y * now.y);
        before = now;
        deviation = lab_worst(deviation, ride_deviation(&r));
    }
    world_close(&r.w);
    if (share < 1.0) {
        lab_add(l, sliding > 0, 1.0, sliding == 0, 0.0, "pole/alpha=%g/w=%g/slips", alpha, speed);
        return;
    }
    const double angle = speed * r.dt * steps, rounding = steps * lab_rounding(R);
    lab_add(l, turned, angle, fabs(turned - angle),
            rounding / (R * sin(alpha)) + lab_rounding(angle), "pole/alpha=%g/w=%g/angle", alpha,
            speed);
    lab_add(l, deviation, 0.0, deviation, rounding, "pole/alpha=%g/w=%g/carried", alpha, speed);
}

static void turning_run(lab *l)
{
    static const int rates[] = {100, 200, 400, 800};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        check_slip_angle(l, 0.3, 0.2, rates[i]);
        check_slip_angle(l, 0.6, 1.0, rates[i]);
        check_slip_angle(l, 1.5, 0.5, rates[i]);
    }
    for (size_t i = 1; i < sizeof rates / sizeof rates[0]; i++) {
        check_sudden_start(l, 0.1, 4 * rates[i]);
        check_sudden_start(l, 0.5, 4 * rates[i]);
    }
    static const double alphas[] = {0.05, 0.2, 0.5}, speeds[] = {1.0, 3.0};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 2; j++) {
            check_pole(l, alphas[i], speeds[j], 1.1);
            check_pole(l, alphas[i], speeds[j], 0.9);
        }
    }
}

const lab_case validate_turning = {
    "cloth/turning", "a sphere that turns under a node carries it or slips, as the law says",
    turning_run};
