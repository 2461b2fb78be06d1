using System.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>An imported stream: subscriptions of the importing account's clients are made in the exporting account too.</summary>
/// <remarks>Immutable and thread-safe. Source: nats-server, imports of streams.</remarks>
internal sealed class StreamImport
{
    private readonly ImportPath _path;
    private readonly byte[] _to;
    private readonly SubjectTransform? _reverse;

    /// <summary>Prepares an import.</summary>
    /// <param name="exporter">The exporting account, which allows it.</param>
    /// <param name="options">The import.</param>
    /// <param name="path">Its subjects.</param>
    public StreamImport(Account exporter, ImportOptions options, ImportPath path)
    {
        (Exporter, Options, _path) = (exporter, options, path);
        _to = Encoding.UTF8.GetBytes(path.To);
        _reverse = path.Transform?.Reverse();
    }

    /// <summary>The exporting account.</summary>
    public Account Exporter { get; }

    /// <summary>The import.</summary>
    public ImportOptions Options { get; }

    /// <summary>Finds the part of the import that a subscription of the importing account covers.</summary>
    /// <param name="subject">The subject or pattern that a client subscribed to.</param>
    /// <returns>A subject or pattern of the exporting account; null for nothing.</returns>
    public byte[]? FindSubject(ReadOnlySpan<byte> subject)
    {
        var from = Encoding.UTF8.GetBytes(_path.From);
        if (subject.SequenceEqual(_to)) return from;
        // The subscription covers a part of the import.
        if (Subject.Matches(subject, _to)) return Narrow(Subject.ToText(subject), from);
        if (!Subject.HasWildcard(subject)) return null;
        if (Subject.Matches(_to, subject)) return from;
        return FindOverlap(Subject.ToText(subject)) is { } overlap ? Narrow(overlap, from) : null;
    }

    /// <summary>Creates the imported subscription of a client or a leaf node in the exporting account.</summary>
    /// <param name="own">Its subscription in the importing account.</param>
    /// <param name="subject">The result of <see cref="FindSubject"/>.</param>
    public Subscription Subscribe(Subscription own, byte[] subject)
    {
        var import = new ImportedSubject(_path.KeepsSubject || _path.Transform is not null ? null : _to, _path.Transform, Options.AllowTrace);
        return own is PeerSubscription peer ? peer.InExporter(subject, import) : new ImportedSubscription(own, subject, import);
    }

    private byte[] Narrow(string subject, byte[] from)
    {
        if (_path.KeepsSubject) return Encoding.UTF8.GetBytes(subject);
        return _reverse?.Apply(Encoding.UTF8.GetBytes(subject)) ?? from;
    }

    // The pattern that both patterns cover, or null.
    private string? FindOverlap(string subject)
    {
        var tokens = subject.Split('.').ToList();
        var imported = _path.To.Split('.');
        for (var i = 0; i < tokens.Count && i < imported.Length; i++)
            if (tokens[i] == "*" && imported[i] != ">") tokens[i] = imported[i];
        var last = tokens.Count - 1;
        if (tokens[last] == ">" && imported.Length >= tokens.Count)
        {
            tokens[last] = imported[last];
            tokens.AddRange(imported.Skip(tokens.Count));
        }
        var overlap = string.Join('.', tokens);
        return Subject.Matches(Encoding.UTF8.GetBytes(overlap), _to) ? overlap : null;
    }
}
