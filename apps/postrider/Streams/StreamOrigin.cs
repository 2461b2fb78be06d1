using System.CommandLine;
using System.CommandLine.Parsing;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Streams;

/// <summary>Streams that another one mirrors or aggregates, on the command line: by name, or as JSON, as the <c>nats</c> tool takes them.</summary>
internal static class StreamOrigin
{
    /// <summary>An option for streams.</summary>
    /// <param name="name">The option's name.</param>
    /// <param name="description">Its description.</param>
    /// <param name="max">The maximum number of streams.</param>
    internal static Option<StreamSource[]?> Create(string name, string description, int max)
        => new(name) { Description = description, CustomParser = argument => Parse(argument, name, max) };

    /// <summary>Puts streams into a domain, except those that name their API themselves.</summary>
    /// <param name="domain">The domain; null leaves the streams as they are.</param>
    /// <param name="origins">The streams.</param>
    internal static StreamSource[]? In(string? domain, StreamSource[]? origins)
        => domain is null || origins is null ? origins : Array.ConvertAll(origins, origin => origin with { External = origin.External ?? new ExternalStream { ApiPrefix = $"$JS.{domain}.API" } });

    private static StreamSource[]? Parse(ArgumentResult argument, string name, int max)
    {
        var text = argument.Tokens[0].Value.Trim();
        try
        {
            StreamSource[] origins = text.StartsWith('{') ? Read($"[{text}]")
                : text.StartsWith('[') ? Read(text)
                : [.. text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries).Select(static one => new StreamSource { Name = one })];
            if (origins.Length >= 1 && origins.Length <= max) return origins;
            argument.AddError(origins.Length == 0 ? $"{name} names no stream." : $"{name} takes one stream, and '{text}' names {origins.Length}.");
        }
        catch (NatsClientException error)
        {
            argument.AddError($"{name}: {error.Message}");
        }

        return null;
    }

    private static StreamSource[] Read(string array) => [.. ApiText.ReadStreamConfig($$"""{"name":"-","sources":{{array}}}""").Sources ?? []];
}
