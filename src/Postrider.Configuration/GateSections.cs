using Postrider.Resilience;

namespace Postrider.Configuration;

/// <summary>Reads gates from the configuration.</summary>
internal static class GateSections
{
    private const int MaxAttempts = 1000;

    /// <summary>Reads a bulkhead.</summary>
    internal static Func<TimeProvider, Bulkhead>? Bulkhead(SectionReader reader)
    {
        if (reader.Integer("Capacity", min: 1) is { } capacity)
            return _ => new Bulkhead(capacity);
        if (reader.Text("Capacity") is null)
            reader.Problem("Capacity", "is missing. Set it to the largest number of concurrent calls.");
        return null;
    }

    /// <summary>Reads a rate limit.</summary>
    internal static Func<TimeProvider, RateLimiter>? RateLimiter(SectionReader reader)
    {
        var permits = reader.Integer("Permits", min: 1);
        var per = reader.Duration("Per") ?? TimeSpan.FromSeconds(1);
        var burst = reader.Integer("Burst", min: 1);
        if (per == TimeSpan.Zero)
            reader.Problem("Per", "is zero; it must be greater.");
        if (permits is null && reader.Text("Permits") is null)
            reader.Problem("Permits", "is missing. Set it to the number of calls that are allowed in the time of Per, which is a second by default.");
        return permits is { } rate && per > TimeSpan.Zero ? Create(reader, time => new RateLimiter(rate, per, burst, time)) : null;
    }

    /// <summary>Reads a circuit breaker.</summary>
    internal static Func<TimeProvider, CircuitBreaker>? CircuitBreaker(SectionReader reader)
    {
        var defaults = new CircuitBreakerOptions();
        var options = new CircuitBreakerOptions
        {
            FailureThreshold = reader.Integer(nameof(defaults.FailureThreshold)) ?? defaults.FailureThreshold,
            FailureRatio = Ratio(reader, nameof(defaults.FailureRatio)) ?? defaults.FailureRatio,
            Window = reader.Duration(nameof(defaults.Window)) ?? defaults.Window,
            MinimumCalls = reader.Integer(nameof(defaults.MinimumCalls), min: 1) ?? defaults.MinimumCalls,
            SlowCall = reader.Duration(nameof(defaults.SlowCall)) ?? defaults.SlowCall,
            SlowCallRatio = Ratio(reader, nameof(defaults.SlowCallRatio)) ?? defaults.SlowCallRatio,
            OpenTime = reader.Duration(nameof(defaults.OpenTime)) ?? defaults.OpenTime,
            Probes = reader.Integer(nameof(defaults.Probes), min: 1) ?? defaults.Probes,
            SuccessThreshold = reader.Integer(nameof(defaults.SuccessThreshold), min: 1) ?? defaults.SuccessThreshold,
        };
        return Create(reader, time => new CircuitBreaker(options with { TimeProvider = time }));
    }

    /// <summary>Reads a retry policy.</summary>
    internal static Func<TimeProvider, RetryPolicy>? Retry(SectionReader reader)
    {
        var defaults = new RetryPolicy();
        var budget = reader.Section(nameof(defaults.Budget)) is { } keys
            ? new RetryBudget(Ratio(keys, nameof(RetryBudget.Ratio)) ?? 0.1, keys.Integer("Reserve", max: 1_000_000) ?? 10)
            : null;
        var policy = new RetryPolicy
        {
            MaxAttempts = reader.Integer(nameof(defaults.MaxAttempts), min: 1, max: MaxAttempts) ?? defaults.MaxAttempts,
            Backoff = reader.Choice<Backoff>(nameof(defaults.Backoff)) ?? defaults.Backoff,
            BaseDelay = reader.Duration(nameof(defaults.BaseDelay)) ?? defaults.BaseDelay,
            MaxDelay = reader.Duration(nameof(defaults.MaxDelay)) ?? defaults.MaxDelay,
            Budget = budget,
        };
        return Create(reader, _ =>
        {
            policy.Validate();
            return policy;
        });
    }

    // Creates a gate to check whether the values fit together: its error message is reported for the section.
    private static Func<TimeProvider, T>? Create<T>(SectionReader reader, Func<TimeProvider, T> create)
    {
        try
        {
            create(TimeProvider.System);
            return create;
        }
        catch (ArgumentException wrong)
        {
            reader.Problem("", $"is not valid: {wrong.Message.Split('\n')[0].TrimEnd('\r')}");
            return null;
        }
    }

    private static double? Ratio(SectionReader reader, string key)
    {
        if (reader.Text(key) is not { } text)
            return null;
        if (double.TryParse(text, System.Globalization.NumberStyles.AllowDecimalPoint, System.Globalization.CultureInfo.InvariantCulture, out var ratio) && ratio <= 1)
            return ratio;
        reader.Problem(key, $"is '{text}'; it must be a number from 0 to 1, such as 0.5.");
        return null;
    }
}
