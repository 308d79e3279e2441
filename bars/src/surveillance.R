# What surveillance says of its own series, for the bar `surveillance`: one line a value.
suppressPackageStartupMessages(library(surveillance))
options(digits = 17, scipen = 300)
tell <- function(...) cat(paste(..., sep = ","), "\n", sep = "")

tell("version", as.character(packageVersion("surveillance")))

counts <- function(name) {
  data(list = name, package = "surveillance", envir = environment())
  series <- get(name)
  if (inherits(series, "disProg")) series <- disProg2sts(series)
  series
}
for (name in c("salmonella.agona", "hepatitisA", "shadar", "ha", "salmNewport")) {
  series <- counts(name)
  for (unit in seq_len(min(ncol(series), 4))) {
    one <- sts(observed = observed(series)[, unit], frequency = 52)
    label <- paste0(name, "/", unit)
    tell("series", label, paste(observed(one)[, 1], collapse = ";"))
    for (method in c("C1", "C2")) for (alpha in c(0.001, 0.025)) {
      bounds <- upperbound(earsC(one, control = list(method = method, alpha = alpha)))[, 1]
      first <- if (method == "C1") 8 else 10
      for (i in seq_along(bounds)) tell("ears", label, method, alpha, first + i - 2, bounds[i])
    }
  }
}

# Thresholds that its Farrington method takes from the mean and dispersion it fits.
series <- counts("salmNewport")
one <- sts(observed = rowSums(observed(series)), epoch = as.numeric(epoch(series)), start = series@start, frequency = 52)
for (alpha in c(0.05, 0.01, 0.001)) {
  control <- list(range = 300:520, b = 4, w = 3, alpha = alpha, thresholdMethod = "nbPlugin", glmWarnings = FALSE)
  fit <- farringtonFlexible(one, control)
  mu <- fit@control$mu0Vector
  phi <- fit@control$phiVector
  bounds <- upperbound(fit)[, 1]
  # A fit that it does not trust has no bound.
  for (i in seq_along(bounds)) if (!is.na(bounds[i]) && phi[i] > 1) tell("quantile", 1 - alpha, mu[i], phi[i], bounds[i])
}

# And the distribution itself, far into its tail.
for (mu in c(0.05, 0.5, 3, 10, 170, 5000)) for (phi in c(1, 1.05, 2, 2.5, 20)) {
  for (level in c(0.01, 0.5, 0.95, 0.99, 0.999, 0.999999)) {
    quantile <- if (phi == 1) qpois(level, mu) else qnbinom(level, size = mu / (phi - 1), prob = 1 / phi)
    tell("quantile", level, mu, phi, quantile)
  }
  for (x in unique(round(c(1, 2, 5, mu, 2 * mu, 5 * mu, 20 * mu)))) if (x > 0) {
    tail <- if (phi == 1) ppois(x - 1, mu, lower.tail = FALSE, log.p = TRUE) else
      pnbinom(x - 1, size = mu / (phi - 1), prob = 1 / phi, lower.tail = FALSE, log.p = TRUE)
    tell("tail", x, mu, phi, tail)
  }
}
