namespace Postrider.Broker;

/// <summary>The compression of connections to other servers.</summary>
public sealed record ServerCompressionOptions
{
    /// <summary>Maximum number of <see cref="RoundTripThresholds"/>.</summary>
    public const int MaxThresholds = 4;

    private static readonly TimeSpan[] DefaultThresholds = [TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(100)];

    /// <summary>The compression mode.</summary>
    public ServerCompressionMode Mode { get; set; }

    /// <summary>For <see cref="ServerCompressionMode.S2Auto"/>: the longest round trips with which messages are sent uncompressed, fast, better and best,
    /// in ascending order; zero skips a step. Empty, the default, means 10 ms, 50 ms and 100 ms: best above.</summary>
    public IReadOnlyList<TimeSpan> RoundTripThresholds { get; set; } = [];

    /// <summary>The thresholds that apply.</summary>
    internal IReadOnlyList<TimeSpan> EffectiveThresholds => RoundTripThresholds.Count == 0 ? DefaultThresholds : RoundTripThresholds;

    /// <summary>The problem with the options, in nats-server's words; null for none.</summary>
    internal string? Problem()
    {
        if (Mode != ServerCompressionMode.S2Auto || RoundTripThresholds.Count == 0) return null;
        var shown = $"[{string.Join(' ', RoundTripThresholds.Select(GoDuration.Format))}]";
        var last = TimeSpan.Zero;
        foreach (var threshold in RoundTripThresholds)
        {
            if (threshold < TimeSpan.Zero || (threshold > TimeSpan.Zero && threshold < last)) return $"RTT threshold values {shown} should be in ascending order, and not negative";
            if (threshold > TimeSpan.Zero) last = threshold;
        }
        if (RoundTripThresholds.Count > MaxThresholds) return $"compression mode \"s2_auto\" should have no more than {MaxThresholds} RTT thresholds: {shown}";
        return last == TimeSpan.Zero ? "compression mode \"s2_auto\" requires at least one RTT threshold" : null;
    }

    /// <summary>Whether other options have the same effect.</summary>
    internal bool IsSameAs(ServerCompressionOptions other) => Mode == other.Mode && EffectiveThresholds.SequenceEqual(other.EffectiveThresholds);
}
