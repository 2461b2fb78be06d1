namespace Postrider.Broker.Routing;

/// <summary>A client's subscription in an account that its own account imports from.</summary>
/// <remarks>It exists in addition to the subscription that the client made, with the same sid. Thread-safe.</remarks>
/// <param name="own">The subscription that the client made.</param>
/// <param name="subject">The subject or pattern in the exporting account.</param>
/// <param name="import">The subjects that the client sees.</param>
internal sealed class ImportedSubscription(Subscription own, ReadOnlySpan<byte> subject, ImportedSubject import)
    : Subscription(own, subject, DeliveryConditions.Imported | (own.Conditions & Copied))
{
    /// <summary>The conditions that it shares with the subscription that the client made.</summary>
    public static DeliveryConditions Copied
        => DeliveryConditions.NoEcho | DeliveryConditions.NoHeaders | DeliveryConditions.HasDeniedSubjects | DeliveryConditions.TracksReplies;

    /// <summary>Whether traces of messages continue in the importing account.</summary>
    public bool AllowsTrace => import.AllowsTrace;

    /// <summary>Whether the client sees every message with the subject that it was published to.</summary>
    public bool KeepsSubject { get; } = import.KeepsSubject;

    /// <summary>The subject that the client sees; see <see cref="ImportedSubject.Of"/>.</summary>
    public ReadOnlySpan<byte> SubjectOf(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> shownSubject) => import.Of(subject, shownSubject);
}
