using Microsoft.Extensions.Configuration;
using Postrider.Configuration;
using Postrider.Transports;

namespace Postrider.Dispatch.Routes;

/// <summary>Reads routes from the configuration.</summary>
internal static class RouteSection
{
    private const string NamePlaceholder = "{name}";

    /// <summary>Finds the routes of messages.</summary>
    /// <param name="section">The section.</param>
    /// <param name="messages">The messages that it may route.</param>
    /// <returns>The route of each message, in their order; null for one that stays in the process.</returns>
    /// <exception cref="InvalidConfigurationException">The section is invalid; the text has a line for each problem.</exception>
    internal static IReadOnlyList<RouteWay?> Read(IConfigurationSection section, IReadOnlyList<Type> messages)
    {
        var reader = new SectionReader(section);
        var entries = section.GetChildren().Select(child => Read(reader, child.Key)).ToList();
        foreach (var entry in entries)
        {
            if (!messages.Any(message => Matches(entry.Key, message)))
                reader.Problem(entry.Key, $"matches none of the messages that RouteFrom lists: {string.Join(", ", messages.Select(static message => message.FullName).Order(StringComparer.Ordinal))}.");
        }

        var chosen = messages.Select(message => Choose(reader, entries, message)).ToList();
        reader.ThrowIfInvalid();
        return [.. messages.Zip(chosen, (message, entry) => entry is null ? RouteWay.OfAttribute(message) : Way(section, entry, message))];
    }

    private static Entry Read(SectionReader reader, string key)
    {
        if (reader.Section(key) is not { } keys)
        {
            reader.Problem(key, "is empty; it must have the keys Transport and Destination.");
            return new(key, null, null, null, TimeSpan.Zero, null);
        }

        var entry = new Entry(key, keys.Text("Transport"), keys.Text("Destination"), keys.Duration("TimeToLive"), keys.Duration("Delay") ?? TimeSpan.Zero, ReadHeaders(keys));
        if (entry.Transport is null)
            keys.Problem("Transport", "is missing. Set it to the name of a transport that AddPostriderTransport added.");
        if (entry.Destination is null)
            keys.Problem("Destination", "is missing. Set it to a subject, topic or queue; {name} is the name of the message's type.");
        else if (entry.Destination.Replace(NamePlaceholder, "", StringComparison.Ordinal).AsSpan().ContainsAny('{', '}'))
            keys.Problem("Destination", $"is '{entry.Destination}'; the only placeholder is {NamePlaceholder}.");
        if (entry.TimeToLive == TimeSpan.Zero)
            keys.Problem("TimeToLive", "is zero; it must be greater, or absent for messages that do not expire.");
        return entry;
    }

    private static Headers? ReadHeaders(SectionReader keys)
    {
        if (keys.Section("Headers") is not { } section)
            return null;
        var headers = new Headers();
        foreach (var name in section.Keys)
        {
            try
            {
                if (section.Text(name) is { } value)
                    headers.Add(name, value);
            }
            catch (ArgumentException error)
            {
                section.Problem(name, $"is not a header. {error.Message}");
            }
        }

        if (headers.ReservedProblem() is { } problem)
            keys.Problem("Headers", $"cannot be sent. {problem}");
        return headers;
    }

    private static Entry? Choose(SectionReader reader, List<Entry> entries, Type message)
    {
        var matching = entries.Where(entry => Matches(entry.Key, message)).ToList();
        var named = matching.Where(static entry => !entry.Key.Contains('*')).ToList();
        var candidates = named.Count > 0 ? named : matching;
        if (candidates.Count > 1)
            reader.Problem(candidates[1].Key, $"routes {message.FullName}, which '{candidates[0].Key}' routes as well. Remove one of them, or add a key with the message's name.");
        return candidates.Count > 0 ? candidates[0] : null;
    }

    private static RouteWay Way(IConfigurationSection section, Entry entry, Type message)
        => RouteWay.Named(
            entry.Transport!,
            new SendTarget(entry.Destination!.Replace(NamePlaceholder, message.Name, StringComparison.Ordinal)) { TimeToLive = entry.TimeToLive, Delay = entry.Delay, Headers = entry.Headers },
            message,
            $"{section.Path}:{entry.Key}");

    private static bool Matches(string key, Type message)
        => key.Contains('*')
            ? IsLike(message.FullName ?? message.Name, key)
            : string.Equals(key, message.FullName, StringComparison.OrdinalIgnoreCase) || string.Equals(key, message.Name, StringComparison.OrdinalIgnoreCase);

    // A star matches any number of characters.
    private static bool IsLike(ReadOnlySpan<char> name, ReadOnlySpan<char> pattern)
    {
        while (true)
        {
            var star = pattern.IndexOf('*');
            if (star < 0)
                return name.Equals(pattern, StringComparison.OrdinalIgnoreCase);
            if (!name.StartsWith(pattern[..star], StringComparison.OrdinalIgnoreCase))
                return false;
            name = name[star..];
            pattern = pattern[(star + 1)..];
            if (pattern.IsEmpty)
                return true;
            var next = pattern.IndexOf('*');
            var part = next < 0 ? pattern : pattern[..next];
            if (next < 0)
                return name.EndsWith(part, StringComparison.OrdinalIgnoreCase);
            var at = name.IndexOf(part, StringComparison.OrdinalIgnoreCase);
            if (at < 0)
                return false;
            name = name[at..];
        }
    }

    private sealed record Entry(string Key, string? Transport, string? Destination, TimeSpan? TimeToLive, TimeSpan Delay, Headers? Headers);
}
