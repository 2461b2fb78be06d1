namespace Postrider.Testing;

/// <summary>Options of <see cref="TestHarness"/>.</summary>
public sealed record TestHarnessOptions
{
    /// <summary>How long <see cref="TestHarness.IdleAsync"/> waits, in real time, how long a request waits for its reply, and how long the
    /// shutdown of the host waits for handlers that still run. Default: 10 seconds. Greater than zero.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The initial time of the virtual clock. Default: 1 January 2000, 00:00 UTC.</summary>
    public DateTimeOffset StartTime { get; init; } = new(2000, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>Whether clients that <c>AddPostriderClient</c> added connect when the host starts, streams are provisioned, and the broker of
    /// <c>AddPostriderBroker</c> runs. Default: false; no transport needs them. Set it for tests with a real server.</summary>
    public bool ConnectsClients { get; init; }

    internal void Validate()
    {
        if (IdleTimeout <= TimeSpan.Zero)
            throw new PostriderException(PostriderError.Configuration, $"IdleTimeout of TestHarnessOptions is {IdleTimeout} and must be greater than zero.");
    }
}
