namespace Postrider.Broker.Subjects;

/// <summary>Is told of each item that comes into a <see cref="SubjectTree{T}"/> or leaves it, in that order and under the tree's lock.</summary>
internal interface ISubjectTreeWatcher<in T>
    where T : class
{
    /// <summary>An item was added. Must be short, and change no tree.</summary>
    void Added(T item);

    /// <summary>An item was removed. Must be short, and change no tree.</summary>
    void Removed(T item);
}
