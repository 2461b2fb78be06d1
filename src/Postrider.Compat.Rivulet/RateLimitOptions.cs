namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's token bucket: a <see cref="Resilience.RateLimiter"/> created for each call of an operator.</summary>
public sealed class RateLimitOptions
{
    /// <summary>Rivulet's defaults.</summary>
    public RateLimitOptions()
    {
    }

    /// <summary>Creates a copy.</summary>
    /// <param name="original">The options to copy; null for the defaults.</param>
    public RateLimitOptions(RateLimitOptions? original)
    {
        if (original is null)
            return;
        TokensPerSecond = original.TokensPerSecond;
        BurstCapacity = original.BurstCapacity;
        TokensPerOperation = original.TokensPerOperation;
    }

    /// <summary>Tokens refilled per second.</summary>
    public double TokensPerSecond { get; init; } = 100;

    /// <summary>The capacity of the bucket in tokens.</summary>
    public double BurstCapacity { get; init; } = 100;

    /// <summary>Tokens that an item takes.</summary>
    public double TokensPerOperation { get; init; } = 1.0;
}
