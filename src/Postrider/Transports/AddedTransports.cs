using Postrider.Configuration;

namespace Postrider.Transports;

/// <summary>The names of the transports that were added to a container, in the order of the calls.</summary>
internal sealed class AddedTransports
{
    /// <summary>The names.</summary>
    internal List<string> Names { get; } = [];

    /// <summary>What those can do whose abilities are known before they are created.</summary>
    internal Dictionary<string, TransportAbilities> Abilities { get; } = new(StringComparer.Ordinal);

    /// <summary>The messages of their bindings.</summary>
    internal HashSet<Type> Received { get; } = [];

    /// <summary>What to do about a name that was not added: one or more sentences.</summary>
    /// <param name="added">The transports that were added; null for none.</param>
    /// <param name="name">The name that was not.</param>
    internal static string Hint(AddedTransports? added, string name)
    {
        var call = $"AddPostriderTransport(\"{name}\", …) or the method of a transport's package, such as AddNatsStreamTransport(\"{name}\", …) or AddRabbitMqTransport(\"{name}\", …); for an outbox, AddTransport(\"{name}\", over: …)";
        if (added is null or { Names.Count: 0 })
            return $"No transport was added. Call {call}.";
        var list = $"Added: {string.Join(", ", added.Names)}.";
        return Suggestion.For(name, added.Names) is { } similar ? $"{list} Did you mean '{similar}'? Otherwise call {call}." : $"{list} Call {call}.";
    }
}
