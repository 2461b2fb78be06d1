using System.Globalization;
using System.Text.Json;

namespace Postrider.CommandLine.Servers;

/// <summary>A table of servers, from their replies to <c>STATSZ</c>.</summary>
internal static class ServerTable
{
    internal static TextTable Create() 
        => new TextTable("Name", "Cluster", "Version", "JetStream", " Connections", " Subscriptions", " Routes", " Leafs", " CPU", " Memory", " Slow", "Uptime").MarkNumbers("Slow", CellState.Warning);

    internal static void AddTo(TextTable table, JsonElement answer)
    {
        var (server, stats) = (answer.At("server"), answer.At("statsz"));
        table.Add(
            server.Text("name") ?? "",
            server.Text("cluster") ?? "",
            server.Text("ver") ?? "",
            server.At("jetstream").ValueKind == JsonValueKind.True ? "yes" : "no",
            Quantity.Text(stats.Number("connections")),
            Quantity.Text(stats.Number("subscriptions")),
            Quantity.Text(stats.Items("routes").Count()),
            Quantity.Text(stats.Number("leafnodes")),
            $"{stats.Fraction("cpu").ToString("0.#", CultureInfo.InvariantCulture)} %",
            ByteSize.Text(stats.Number("mem")),
            Quantity.Text(stats.Number("slow_consumers")),
            server.Time("time") - stats.Time("start") is { } up ? Duration.Text(TimeSpan.FromSeconds(Math.Max(0, (long)up.TotalSeconds))) : "");
    }
}
