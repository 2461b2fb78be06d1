using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Terminal;

/// <summary>The output for a consumer, in NATS's terms.</summary>
internal static class ConsumerText
{
    internal static TextTable Table() => new TextTable("Name", "Type", " Unprocessed", " Ack Pending", " Redelivered", "Last Delivery").MarkNumbers("Redelivered", CellState.Warning);

    internal static void AddTo(TextTable table, ConsumerInfo info) => table.Add(
        info.Name,
        info.Config.DeliverSubject is null ? "Pull" : "Push",
        Quantity.Text(info.PendingCount),
        Quantity.Text(info.AckPendingCount),
        Quantity.Text(info.RedeliveredCount),
        LastDelivery(info) ?? "never");

    internal static string Readable(ConsumerInfo info)
    {
        var config = info.Config;
        var text = new DetailsText()
            .Add("Name", info.Name)
            .Add("Stream", info.StreamName)
            .Add("Description", config.Description)
            .Add("Created", StreamText.Time(info.Created))
            .Add("Filter Subjects", config.FilterSubjects is { Count: > 0 } filters ? string.Join(", ", filters) : config.FilterSubject)
            .Add("Deliver Subject", config.DeliverSubject)
            .Add("Deliver Policy", config.DeliverPolicy.ToString())
            .Add("Replay Policy", config.ReplayPolicy.ToString())
            .Add("Ack Policy", config.AckPolicy.ToString())
            .Add("Ack Wait", config.AckPolicy == AckPolicy.None ? null : Duration.Text(config.AckWait))
            .AddLimit("Max Ack Pending", config.MaxAckPending)
            .AddLimit("Maximum Deliveries", config.MaxDeliver)
            .Add("Inactive Threshold", config.InactiveThreshold > TimeSpan.Zero ? Duration.Text(config.InactiveThreshold) : null)
            .Add("Headers Only", config.HeadersOnly ? "yes" : null)
            .Add("Paused", info.Paused ? $"for {Duration.Text(info.PauseRemaining)} more" : null);
        StreamText.AddCluster(text, info.Cluster);
        return text.Section("State")
            .Add("Last Delivered", At(info.Delivered))
            .Add("Last Delivery", LastDelivery(info))
            .Add("Acknowledgment Floor", At(info.AckFloor))
            .Add("Outstanding Acks", (ulong)info.AckPendingCount)
            .Add("Redelivered Messages", (ulong)info.RedeliveredCount)
            .Add("Unprocessed Messages", info.PendingCount)
            .Add("Waiting Pulls", config.DeliverSubject is null ? Quantity.Text(info.WaitingCount) : null)
            .ToString();
    }

    private static string At(SequenceInfo sequence) => $"stream sequence {Quantity.Text(sequence.StreamSequence)}, consumer sequence {Quantity.Text(sequence.ConsumerSequence)}";

    private static string? LastDelivery(ConsumerInfo info) => info.Delivered.LastActive is { } time ? StreamText.Time(time) : null;
}
