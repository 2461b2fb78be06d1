using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>A client's subscription in the account that its own account imports messages from.</summary>
/// <remarks>It stands beside the subscription that the client made, with the same number. Thread-safe.</remarks>
internal sealed class ImportedSubscription : Subscription
{
    private readonly byte[]? _shown;
    private readonly SubjectTransform? _transform;

    // Most publishers repeat a subject; both belong together, so they are replaced together.
    private Mapped? _last;

    /// <summary>Makes the subscription.</summary>
    /// <param name="own">The subscription that the client made.</param>
    /// <param name="subject">The subject or pattern in the exporting account.</param>
    /// <param name="shown">What every subject becomes; null for none.</param>
    /// <param name="transform">Makes the client's subjects of the exporting account's; null for none.</param>
    public ImportedSubscription(Subscription own, ReadOnlySpan<byte> subject, byte[]? shown, SubjectTransform? transform)
        : base(own, subject, DeliveryConditions.Imported | (own.Conditions & Copied))
        => (_shown, _transform) = (shown, transform);

    /// <summary>Whether traces of messages go on in the importing account.</summary>
    public bool AllowsTrace { get; init; }

    /// <summary>The conditions that it has in common with the subscription that the client made.</summary>
    public static DeliveryConditions Copied
        => DeliveryConditions.NoEcho | DeliveryConditions.NoHeaders | DeliveryConditions.HasDeniedSubjects | DeliveryConditions.TracksReplies;

    /// <summary>The subject that the client sees.</summary>
    /// <param name="subject">The subject that the message was published to.</param>
    /// <param name="shownSubject">The subject that others see.</param>
    /// <returns>Empty where the subject cannot be transformed.</returns>
    public ReadOnlySpan<byte> SubjectOf(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> shownSubject)
    {
        if (_shown is not null) return _shown;
        if (_transform is null) return shownSubject;
        var last = _last;
        if (last is not null && subject.SequenceEqual(last.Subject)) return last.Shown;
        var mapped = _transform.Apply(subject) ?? [];
        _last = new Mapped(subject.ToArray(), mapped);
        return mapped;
    }

    private sealed record Mapped(byte[] Subject, byte[] Shown);
}
