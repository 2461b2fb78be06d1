using System.Diagnostics.CodeAnalysis;
using System.Text;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>An account's subject mappings, prepared for published subjects.</summary>
/// <remarks>Immutable and thread-safe. Source: nats-server, subject mappings.</remarks>
internal sealed class SubjectMappings
{
    private const int WholeWeight = 100;

    private readonly Entry[] _entries;

    private SubjectMappings(Entry[] entries) => _entries = entries;

    /// <summary>Prepares mappings.</summary>
    /// <param name="options">Valid mappings.</param>
    /// <returns>Null for none.</returns>
    public static SubjectMappings? Create(IReadOnlyList<SubjectMappingOptions> options)
    {
        if (options.Count == 0) return null;
        var entries = new Entry[options.Count];
        for (var i = 0; i < entries.Length; i++)
            entries[i] = TryCreate(options[i], out var entry, out var problem) ? entry : throw new ArgumentException(problem, nameof(options));
        return new SubjectMappings(entries);
    }

    /// <summary>Checks a mapping.</summary>
    /// <returns>The problem in nats-server's words, or null.</returns>
    public static string? FindProblem(SubjectMappingOptions mapping) => TryCreate(mapping, out _, out var problem) ? null : problem;

    /// <summary>Checks the mappings of a broker's accounts.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/>: a mapping is invalid.</exception>
    public static void Validate(BrokerOptions options)
    {
        foreach (var mapping in options.Accounts.SelectMany(static account => account.Mappings))
            if ((BrokerOptionsValidator.SubjectProblem(mapping.Source, allowQueue: false) ?? FindProblem(mapping)) is { } problem)
                throw new BrokerException(BrokerError.InvalidOptions, $"mapping for \"{mapping.Source}\": {problem}");
    }

    /// <summary>Maps a published subject.</summary>
    /// <param name="subject">The subject as published.</param>
    /// <param name="random">Chooses among weighted destinations.</param>
    /// <returns>The new subject, empty when the message is dropped; null when no mapping applies.</returns>
    public byte[]? Map(ReadOnlySpan<byte> subject, Random random)
    {
        foreach (var entry in _entries)
            if (entry.IsLiteral ? subject.SequenceEqual(entry.Source) : Subject.Matches(subject, entry.Source)) return entry.Map(subject, random);
        return null;
    }

    private static bool TryCreate(SubjectMappingOptions mapping, [NotNullWhen(true)] out Entry? entry, [NotNullWhen(false)] out string? problem)
    {
        entry = null;
        var destinations = new List<(SubjectTransform Transform, int Weight)>();
        var seen = new HashSet<string>(StringComparer.Ordinal);
        var total = 0;
        foreach (var (subject, weight) in mapping.Destinations)
        {
            if (!seen.Add(subject)) problem = $"duplicate entry for {GoQuote.Quote(subject)}";
            else if (weight is < 0 or > WholeWeight) problem = "individual weights need to be <= 100";
            else if ((total += weight) > WholeWeight) problem = "total weight needs to be <= 100";
            else if (SubjectTransform.TryCreate(mapping.Source, subject, out var transform, out problem))
            {
                destinations.Add((transform, weight));
                continue;
            }
            return false;
        }
        if (total != WholeWeight && !seen.Contains(mapping.Source))
        {
            if (!SubjectTransform.TryCreate(mapping.Source, TransformToken.WithPlaceholders(mapping.Source), out var same, out problem)) return false;
            destinations.Add((same, WholeWeight - total));
        }
        var source = Encoding.UTF8.GetBytes(mapping.Source);
        entry = new Entry(source, !Subject.HasWildcard(source), [.. destinations.OrderBy(static destination => destination.Weight)]);
        problem = null;
        return true;
    }

    private sealed class Entry(byte[] source, bool isLiteral, (SubjectTransform Transform, int Weight)[] destinations)
    {
        public byte[] Source => source;

        public bool IsLiteral => isLiteral;

        public byte[] Map(ReadOnlySpan<byte> subject, Random random)
        {
            if (destinations is [(var only, WholeWeight)]) return only.Apply(subject) ?? [];
            var left = random.Next(WholeWeight);
            foreach (var (transform, weight) in destinations)
            {
                if (left < weight) return transform.Apply(subject) ?? [];
                left -= weight;
            }
            return [];
        }
    }
}
