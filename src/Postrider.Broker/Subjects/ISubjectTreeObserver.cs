namespace Postrider.Broker.Subjects;

/// <summary>Notified of every change of a <see cref="SubjectTree{T}"/>.</summary>
internal interface ISubjectTreeObserver
{
    /// <summary>An item was added or removed.</summary>
    /// <param name="subject">Its subject or pattern; valid during the call. No lock of the tree is held.</param>
    void Changed(ReadOnlySpan<byte> subject);
}
