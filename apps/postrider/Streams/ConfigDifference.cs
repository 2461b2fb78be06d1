using System.Text.Json.Nodes;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Streams;

/// <summary>Describes how a stream that exists differs from one that was to be created.</summary>
internal static class ConfigDifference
{
    /// <summary>The settings that differ, with both values.</summary>
    /// <param name="wanted">The configuration that was requested. Settings that it leaves to the server are not compared.</param>
    /// <param name="existing">The configuration that the stream has.</param>
    /// <returns>A sentence that begins with a space; empty if no requested setting differs.</returns>
    internal static string Describe(StreamConfig wanted, StreamConfig existing)
    {
        var has = JsonNode.Parse(ApiText.Write(existing))!.AsObject();
        var differences = JsonNode.Parse(ApiText.Write(wanted))!.AsObject()
            .Where(setting => !JsonNode.DeepEquals(setting.Value, has[setting.Key]))
            .Select(setting => $"{setting.Key} is {Text(has[setting.Key])}, not {Text(setting.Value)}")
            .ToArray();
        return differences.Length == 0 ? "" : $" The stream differs: {string.Join("; ", differences)}.";

        static string Text(JsonNode? value) => value?.ToJsonString() ?? "not set";
    }
}
