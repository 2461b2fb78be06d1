namespace Postrider.ClaimChecks;

/// <summary>Options of a claim check.</summary>
public sealed record ClaimCheckOptions
{
    /// <summary>Bodies with more bytes are stored outside their messages; 512 KiB by default, at least 1. A lower limit of the transport counts
    /// instead.</summary>
    public int ThresholdBytes { get; set; } = 512 * 1024;

    /// <summary>The largest body in bytes, both of those that are sent and of those that are fetched; 64 MiB by default. A message with a larger
    /// one is refused, and one that arrives is a dead letter.</summary>
    public int MaxBodyBytes { get; set; } = 64 * 1024 * 1024;

    /// <summary>Whether the body is removed when its message was handled; false by default: it stays until the store removes it. Set it only if each
    /// message has one receiver, or one group of them: a second one would not find the body.</summary>
    public bool RemoveWhenHandled { get; set; }

    internal void Validate()
    {
        Require(ThresholdBytes >= 1, $"ThresholdBytes is {ThresholdBytes} and must be at least 1");
        Require(MaxBodyBytes >= ThresholdBytes, $"MaxBodyBytes is {MaxBodyBytes} and must be at least ThresholdBytes, which is {ThresholdBytes}");
    }

    private static void Require(bool holds, string what)
    {
        if (!holds)
            throw new PostriderException(PostriderError.Configuration, $"ClaimCheckOptions.{what}.");
    }
}
