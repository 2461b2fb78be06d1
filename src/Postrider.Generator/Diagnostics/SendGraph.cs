using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>Which handlers send which messages: finds cycles.</summary>
internal sealed class SendGraph
{
    private readonly ConcurrentBag<Edge> _edges = [];

    /// <summary>The messages whose handling runs the code of a symbol.</summary>
    internal static List<string> HandledBy(ISymbol? code, HandlerIndex index)
    {
        if (code?.ContainingType is not { } type)
            return [];

        var method = code as IMethodSymbol;
        var message = method is { Parameters.Length: > 0 } ? TypeNames.Full(method.Parameters[0].Type) : "";
        if (method is not null && TypeNames.Attribute(method, KnownNames.HandlerAttribute) is not null)
            return [message];

        var owner = TypeNames.Full(type);
        var handled = index.All
            .Where(h => h.Owner.Full == owner && !h.IsStatic && h.Call.EndsWith(".Handle", System.StringComparison.Ordinal))
            .Select(h => h.Message.Full).Distinct().ToList();

        // A helper method belongs to the class's message if there is only one; with several it is ambiguous.
        return handled.Contains(message) ? [message] : handled.Count == 1 ? handled : [];
    }

    internal void Add(string from, string to, Location location, string sender, string display)
        => _edges.Add(new(from, to, location, sender, display));

    /// <summary>Reports each call that is part of a way back, but for the direct ones, which are reported as they are typed.</summary>
    internal IEnumerable<Diagnostic> Cycles()
    {
        var next = _edges.ToLookup(e => e.From);
        foreach (var edge in _edges.Where(e => e.From != e.To))
        {
            if (Way(edge.To, edge.From, next) is { } way)
                yield return Diagnostic.Create(DiagnosticDescriptors.Recursion, edge.Location, edge.Sender, edge.Display, string.Join(" -> ", way));
        }
    }

    private static List<string>? Way(string from, string to, ILookup<string, Edge> next)
    {
        var before = new Dictionary<string, Edge?> { [from] = null };
        var open = new Queue<string>([from]);
        while (open.Count > 0)
        {
            var at = open.Dequeue();
            if (at == to)
                return Senders(at, before);
            foreach (var edge in next[at].Where(e => !before.ContainsKey(e.To)))
            {
                before[edge.To] = edge;
                open.Enqueue(edge.To);
            }
        }

        return null;
    }

    private static List<string> Senders(string at, Dictionary<string, Edge?> before)
    {
        var senders = new List<string>();
        for (var edge = before[at]; edge is not null; edge = before[edge.From])
            senders.Insert(0, edge.Sender);
        return senders;
    }

    private sealed class Edge(string from, string to, Location location, string sender, string display)
    {
        internal string From { get; } = from;

        internal string To { get; } = to;

        internal Location Location { get; } = location;

        internal string Sender { get; } = sender;

        internal string Display { get; } = display;
    }
}
