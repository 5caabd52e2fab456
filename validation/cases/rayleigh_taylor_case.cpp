/// Compares growth rates of the Rayleigh-Taylor instability with rayleigh_taylor_growth.csv, column by column, and the
/// fit of a growing mode with a run whose rate is known.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/cases.h"
#include "validation/rayleigh_taylor_theory.h"

namespace riffle {

namespace {

struct Row {
  StratifiedFluids fluids;
  double k = 0;
  WallDistances walls{};
};

std::vector<Row> rows_of(const ReferenceTable& table) {
  const auto atwood = table.numbers("A"), g = table.numbers("g"), k = table.numbers("k"), nu = table.numbers("nu_mix"),
             H = table.numbers("H_each_layer"), tension = table.numbers("surface_tension_over_rho_light");
  const auto mode = table.texts("viscosity_mode");
  std::vector<Row> rows;
  for (std::size_t i = 0; i < k.size(); ++i) {
    Row row;
    row.fluids.rho1 = 1;
    row.fluids.rho2 = (1 + atwood[i]) / (1 - atwood[i]);
    const bool same_dynamic = mode[i] == "equal_mu";
    row.fluids.mu1 = nu[i] * (same_dynamic ? (row.fluids.rho1 + row.fluids.rho2) / 2 : row.fluids.rho1);
    row.fluids.mu2 = nu[i] * (same_dynamic ? (row.fluids.rho1 + row.fluids.rho2) / 2 : row.fluids.rho2);
    row.fluids.gravity = g[i];
    row.fluids.tension = tension[i];
    row.k = k[i];
    row.walls = {H[i], H[i]};
    rows.push_back(row);
  }
  return rows;
}

using Rate = double (*)(const Row&);

struct Column {
  const char* name;  ///< in the table
  const char* text;
  Rate rate;
};

StratifiedFluids without_tension(const Row& row) {
  StratifiedFluids fluids = row.fluids;
  fluids.tension = 0;
  return fluids;
}

constexpr Column kColumns[] = {
    {"n_inviscid_infinite", "inviscid", [](const Row& r) { return inviscid_growth(without_tension(r), r.k); }},
    {"n_inviscid_walls", "inviscid between walls",
     [](const Row& r) { return inviscid_growth(without_tension(r), r.k, r.walls); }},
    {"n_approx_infinite", "viscous, the textbooks' approximation",
     [](const Row& r) { return approximate_growth(without_tension(r), r.k); }},
    {"n_exact_infinite", "viscous, exact", [](const Row& r) { return exact_growth(without_tension(r), r.k); }},
    {"n_exact_freeslip_walls", "viscous between walls, exact",
     [](const Row& r) { return exact_growth(without_tension(r), r.k, r.walls); }},
    {"n_exact_walls_with_tension", "viscous between walls with surface tension, exact",
     [](const Row& r) { return exact_growth(r.fluids, r.k, r.walls); }},
};

double worst_error(const std::vector<Row>& rows, const std::vector<double>& expected, Rate rate) {
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double error = std::fabs(rate(rows[i]) / expected[i] - 1);
    if (!(error <= worst)) worst = error;  // keeps a NaN
  }
  return worst;
}

/// Rates over the wave number, in units in which fluids of equal kinematic viscosity share one curve per A.
Curve dispersion() {
  Curve curve;
  curve.name = "dispersion";
  curve.title = "Growth rate of a viscous interface, A = 0.5, equal kinematic viscosities";
  curve.x_label = "k (nu² / A g)^(1/3)";
  curve.y_label = "n (nu / A² g²)^(1/3)";
  const StratifiedFluids fluids{1, 3, 1, 3, 1, 0};
  const double drive = fluids.atwood() * fluids.gravity;
  Series inviscid{"inviscid", {}, {}}, approximate{"approximation", {}, {}}, exact{"exact", {}, {}};
  for (int i = 0; i <= 200; ++i) {
    const double K = 0.01 * std::pow(300.0, i / 200.0), k = K * std::cbrt(drive);
    const double unit = std::cbrt(drive * drive);
    inviscid.x.push_back(K), inviscid.y.push_back(inviscid_growth(fluids, k) / unit);
    approximate.x.push_back(K), approximate.y.push_back(approximate_growth(fluids, k) / unit);
    exact.x.push_back(K), exact.y.push_back(exact_growth(fluids, k) / unit);
  }
  curve.measured = {inviscid, approximate, exact};
  return curve;
}

CaseResult compare_growth_rates(const CaseContext& context) {
  const ReferenceTable table = context.table("rayleigh_taylor_growth.csv");
  const ReferenceTable run = context.table("rayleigh_taylor_dpd_mode.csv");
  const std::vector<Row> rows = rows_of(table);
  CaseResult result;
  for (const Column& column : kColumns) {
    context.progress(0, column.text);
    result.checks.push_back(context.check(fmt::format("{}: worst relative error of {} rates", column.text, rows.size()),
                                          worst_error(rows, table.numbers(column.name), column.rate)));
  }
  const std::vector<double> t = run.numbers("t"), a = run.numbers("a_cos_mean");
  const CoshGrowth fit = fit_cosh_growth(t, a, 3.2);
  result.checks.push_back(context.check("rate fitted to the mean amplitude of a DPD run", fit.n));

  Curve curve = dispersion();
  Series points{"table, A = 0.5, equal nu", {}, {}};
  const std::vector<double> exact = table.numbers("n_exact_infinite");
  const auto mode = table.texts("viscosity_mode");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const StratifiedFluids& f = rows[i].fluids;
    if (mode[i] != "equal_nu" || std::fabs(f.atwood() - 0.5) > 1e-6) continue;
    const double nu = f.viscosity(), drive = f.atwood() * f.gravity;
    points.x.push_back(rows[i].k * std::cbrt(nu * nu / drive));
    points.y.push_back(exact[i] * std::cbrt(nu / (drive * drive)));
  }
  curve.reference = {points};
  result.curves.push_back(curve);

  Series fitted{"a0 cosh(n t), fitted to a < 3.2", {}, {}};
  for (const double time : t)
    if (const double value = fit.a0 * std::cosh(fit.n * time); value < 8)
      fitted.x.push_back(time), fitted.y.push_back(value);
  Series amplitude{"DPD run, mean of two seeds", {}, {}};
  for (std::size_t i = 0; i < fitted.x.size(); ++i) amplitude.x.push_back(t[i]), amplitude.y.push_back(a[i]);
  result.curves.push_back({"mode", "Amplitude of a growing mode", "t", "amplitude", {amplitude}, {fitted}});
  return result;
}

}  // namespace

ValidationCase rayleigh_taylor_theory_case() {
  const std::string what = "formulas, no simulation";
  return {"rayleigh_taylor_theory", "linear growth rates that Rayleigh-Taylor runs are compared with", what, what,
          compare_growth_rates};
}

}  // namespace riffle
