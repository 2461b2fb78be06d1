using Postrider.Broker.Subjects;

namespace Postrider.Broker.Routing;

/// <summary>The subject that an importing account sees of the exporting account's messages.</summary>
/// <remarks>Thread-safe.</remarks>
/// <param name="shown">The subject that replaces every subject; null for none.</param>
/// <param name="transform">Transforms the exporting account's subjects to the importing account's; null for none.</param>
/// <param name="allowsTrace">Whether traces of messages continue in the importing account.</param>
internal sealed class ImportedSubject(byte[]? shown, SubjectTransform? transform, bool allowsTrace)
{
    // Most publishers repeat a subject. One object, so that subject and result are replaced together.
    private Mapped? _last;

    /// <summary>Whether traces of messages continue in the importing account.</summary>
    public bool AllowsTrace => allowsTrace;

    /// <summary>Whether every message has the same subject in both accounts.</summary>
    public bool KeepsSubject => shown is null && transform is null;

    /// <summary>The subject in the importing account.</summary>
    /// <param name="subject">The subject that the message was published to.</param>
    /// <param name="shownSubject">The subject that other subscribers see.</param>
    /// <returns>Empty when the subject cannot be transformed.</returns>
    public ReadOnlySpan<byte> Of(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> shownSubject)
    {
        if (shown is not null) return shown;
        if (transform is null) return shownSubject;
        var last = _last;
        if (last is not null && subject.SequenceEqual(last.Subject)) return last.Shown;
        var mapped = transform.Apply(subject) ?? [];
        _last = new Mapped(subject.ToArray(), mapped);
        return mapped;
    }

    private sealed record Mapped(byte[] Subject, byte[] Shown);
}
