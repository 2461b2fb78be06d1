namespace Postrider.Broker.Subjects;

/// <summary>Notified of each item that is added to a <see cref="SubjectTree{T}"/> or removed from it, in order and under the tree's lock.</summary>
internal interface ISubjectTreeWatcher<in T>
    where T : class
{
    /// <summary>An item was added. Must be short, and must not change any tree.</summary>
    void Added(T item);

    /// <summary>An item was removed. Must be short, and must not change any tree.</summary>
    void Removed(T item);
}
