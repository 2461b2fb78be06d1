// The edge's program of docs/guide/leafnodes.md.
using Microsoft.Extensions.Hosting;
using Postrider.Client;
using Postrider.Client.JetStream;

internal static class Surroundings
{
    public static readonly HostApplicationBuilder builder = null!;
    public static readonly NatsClient client = null!;
    public static readonly JetStreamContext streams = null!;
    public static readonly string order = "tea";
    public static readonly Reading reading = new(7);

    public static ValueTask Store(Reading reading, CancellationToken ct) => default;

    public static Task<Alarm?> Next() => Task.FromResult<Alarm?>(null);

    public static void Keep(Alarm alarm) => _ = alarm;
}

public sealed record Reading(double Value);

public sealed record Alarm(string Text);

public sealed record Receipt(int Number);
