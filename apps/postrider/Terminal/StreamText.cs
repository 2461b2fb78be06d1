using System.Globalization;
using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Terminal;

/// <summary>The output for a stream, in NATS's terms.</summary>
internal static class StreamText
{
    internal static TextTable Table() => new("Name", " Messages", " Size", "Last message", "Subjects");

    internal static void AddTo(TextTable table, StreamInfo info) => table.Add(
        info.Config.Name,
        Quantity.Text(info.State.Messages),
        ByteSize.Text((long)info.State.Bytes),
        Time(info.State.LastTime) ?? "never",
        string.Join(", ", info.Config.Subjects ?? []));

    internal static string Readable(StreamInfo info)
    {
        var text = new DetailsText();
        AddConfiguration(text, info);
        AddLimits(text.Section("Limits"), info.Config);
        AddState(text.Section("State"), info.State);
        return text.ToString();
    }

    /// <summary>A time to the second in UTC; null for one that was never set.</summary>
    internal static string? Time(DateTimeOffset time) => time.Year <= 1 ? null : time.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture);

    /// <summary>The leader, if there is a cluster: a single server is its own leader.</summary>
    internal static void AddCluster(DetailsText text, ClusterInfo? cluster)
    {
        if (cluster is not { Leader: not null } || (cluster.Name is null && cluster.Replicas is not { Count: > 0 })) return;
        text.Add("Cluster", cluster.Name).Add("Leader", cluster.Leader);
        foreach (var replica in cluster.Replicas ?? [])
            text.Add("Replica", $"{replica.Name}, {(replica.Current ? "current" : "outdated")}");
    }

    private static void AddConfiguration(DetailsText text, StreamInfo info)
    {
        var config = info.Config;
        text.Add("Name", config.Name)
            .Add("Description", config.Description)
            .Add("Created", Time(info.Created))
            .Add("Subjects", string.Join(", ", config.Subjects ?? []))
            .Add("Mirror", config.Mirror is { } origin ? Origin(origin) : null)
            .Add("Mirror State", info.Mirror is { } mirror ? Copy(mirror) : null)
            .Add("Sources", string.Join(", ", config.Sources?.Select(Origin) ?? []));
        foreach (var source in info.Sources ?? []) text.Add($"Source {source.Name}", Copy(source));
        text
            .Add("Replicas", (ulong)config.Replicas)
            .Add("Storage", $"{config.Storage}{(config.Compression == StreamCompression.None ? "" : $", compressed ({config.Compression})")}")
            .Add("Retention", config.Retention.ToString())
            .Add("Acknowledgments", config.NoAck ? "no" : null)
            .Add("Discard Policy", $"{config.Discard}{(config.DiscardNewPerSubject ? ", per subject" : "")}")
            .Add("Duplicate Window", config.DuplicateWindow > TimeSpan.Zero ? Duration.Text(config.DuplicateWindow) : "none")
            .Add("Republish", config.Republish is { } republish ? $"{republish.Source} to {republish.Destination}" : null)
            .Add("Allows", string.Join(", ", Allowed(config)))
            .Add("Denies", string.Join(", ", Denied(config)));
        AddCluster(text, info.Cluster);
    }

    private static string Origin(StreamSource source) => $"{source.Name}{(source.External is { } external ? $" at {external.ApiPrefix}" : "")}";

    private static string Copy(StreamSourceInfo copy)
        => $"{copy.Lag} behind, {(copy.Active < TimeSpan.Zero ? "nothing received yet" : $"active {Duration.Text(TimeSpan.FromSeconds((long)copy.Active.TotalSeconds))} ago")}{(copy.Error is { } error ? $", error: {error.Description}" : "")}";

    private static void AddLimits(DetailsText text, StreamConfig config) => text
        .AddLimit("Maximum Messages", config.MaxMessages)
        .AddLimit("Maximum Per Subject", config.MaxMessagesPerSubject)
        .AddLimit("Maximum Bytes", config.MaxBytes, ByteSize.Text)
        .AddLimit("Maximum Age", config.MaxAge)
        .AddLimit("Maximum Message Size", config.MaxMessageBytes, ByteSize.Text)
        .AddLimit("Maximum Consumers", config.MaxConsumers)
        .Add("Delete Marker TTL", config.SubjectDeleteMarkerTimeToLive > TimeSpan.Zero ? Duration.Text(config.SubjectDeleteMarkerTimeToLive) : null);

    private static void AddState(DetailsText text, StreamState state)
    {
        text.Add("Messages", state.Messages)
            .Add("Bytes", ByteSize.Text((long)state.Bytes))
            .Add("First Sequence", At(state.FirstSequence, state.FirstTime, state.Messages))
            .Add("Last Sequence", At(state.LastSequence, state.LastTime, state.LastSequence))
            .Add("Deleted Messages", state.DeletedCount > 0 ? Quantity.Text(state.DeletedCount) : null)
            .Add("Lost Messages", state.Lost?.Sequences is { Count: > 0 } lost ? Quantity.Text(lost.Count) : null)
            .Add("Active Consumers", (ulong)state.ConsumerCount)
            .Add("Number of Subjects", (ulong)state.SubjectCount);
        foreach (var (subject, count) in state.Subjects ?? new Dictionary<string, ulong>())
            text.Add("", $"{subject}: {Quantity.Of(count, "message")}");
    }

    private static string At(ulong sequence, DateTimeOffset time, ulong count)
        => count > 0 && Time(time) is { } text ? $"{Quantity.Text(sequence)} at {text}" : Quantity.Text(sequence);

    private static IEnumerable<string> Allowed(StreamConfig config)
    {
        if (config.AllowDirect) yield return "direct get";
        if (config.MirrorDirect) yield return "direct get from the mirror";
        if (config.AllowRollup) yield return "roll-ups";
        if (config.AllowMessageTimeToLive) yield return "per-message TTL";
        if (config.AllowMessageCounter) yield return "counters";
        if (config.AllowAtomicPublish) yield return "atomic batches";
        if (config.AllowBatchedPublish) yield return "fast batches";
        if (config.AllowMessageSchedules) yield return "schedules";
    }

    private static IEnumerable<string> Denied(StreamConfig config)
    {
        if (config.Sealed) yield return "every change (sealed)";
        if (config.DenyDelete) yield return "deletes";
        if (config.DenyPurge) yield return "purges";
    }
}
