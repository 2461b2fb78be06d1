using System.Globalization;
using System.Text;

namespace Postrider.CommandLine.Bench;

/// <summary>The result of a benchmark.</summary>
internal sealed record BenchResult
{
    /// <summary>The benchmark's name.</summary>
    internal required string Name { get; init; }

    /// <summary>Messages that arrived where they were counted.</summary>
    internal required long Messages { get; init; }

    /// <summary>Messages that should have arrived.</summary>
    internal required long Expected { get; init; }

    /// <summary>Bytes of each payload.</summary>
    internal required int SizeBytes { get; init; }

    /// <summary>From the first message to the last.</summary>
    internal required TimeSpan Elapsed { get; init; }

    /// <summary>Round-trip times, sorted; empty if none were measured.</summary>
    internal TimeSpan[] Latencies { get; init; } = [];

    /// <summary>Processor time of the server meanwhile; null when it was not read.</summary>
    internal TimeSpan? ServerCpu { get; init; }

    internal bool IsComplete => Messages == Expected;

    private double PerSecond => Messages / Math.Max(Elapsed.TotalSeconds, 1e-9);

    private double MegabytesPerSecond => PerSecond * SizeBytes / 1e6;

    /// <summary>For people.</summary>
    internal string Readable()
    {
        var text = new StringBuilder();
        text.Append(Invariant($"{Name}: {Messages:N0} message{(Messages == 1 ? "" : "s")} of {SizeBytes} byte{(SizeBytes == 1 ? "" : "s")} in {Elapsed.TotalSeconds:0.00} s: {PerSecond:N0} msg/s, {MegabytesPerSecond:N1} MB/s"));
        if (!IsComplete)
            text.Append(Invariant($"\n  incomplete: {Expected - Messages:N0} of {Expected:N0} did not arrive"));
        if (Latencies.Length > 0)
            text.Append(Invariant($"\n  latency: P50 {Micros(0.5):N1} µs, P90 {Micros(0.9):N1} µs, P99 {Micros(0.99):N1} µs, P99.9 {Micros(0.999):N1} µs, max {Micros(1):N1} µs"));
        if (ServerCpu is { } cpu)
            text.Append(Invariant($"\n  server: {cpu.TotalSeconds:0.00} s of processor time, {cpu.TotalNanoseconds / Math.Max(1, Messages):N0} ns per message"));
        return text.ToString();
    }

    /// <summary>For scripts: one line.</summary>
    internal string Json()
    {
        var text = new StringBuilder("{");
        text.Append(Invariant($"\"name\":\"{Name}\",\"messages\":{Messages},\"expected\":{Expected},\"size_bytes\":{SizeBytes},\"seconds\":{Elapsed.TotalSeconds:0.######},\"messages_per_second\":{PerSecond:0.#},\"megabytes_per_second\":{MegabytesPerSecond:0.###}"));
        if (Latencies.Length > 0)
            text.Append(Invariant($",\"p50_us\":{Micros(0.5):0.##},\"p90_us\":{Micros(0.9):0.##},\"p99_us\":{Micros(0.99):0.##},\"p999_us\":{Micros(0.999):0.##},\"max_us\":{Micros(1):0.##}"));
        if (ServerCpu is { } cpu)
            text.Append(Invariant($",\"server_cpu_seconds\":{cpu.TotalSeconds:0.###},\"server_cpu_ns_per_message\":{cpu.TotalNanoseconds / Math.Max(1, Messages):0.#}"));
        return text.Append('}').ToString();
    }

    // The smallest value that at least this share of all values does not exceed.
    private double Micros(double share) => Latencies[Math.Max(0, (int)Math.Ceiling(share * Latencies.Length) - 1)].TotalMicroseconds;

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
