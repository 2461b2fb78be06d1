namespace Postrider.Flow.Pumps;

/// <summary>The work for an item, as a struct, so that the call is compiled into the pump's loop.</summary>
/// <typeparam name="TItem">The item.</typeparam>
/// <typeparam name="TPending">The form of the pending result.</typeparam>
internal interface IBody<TItem, TPending>
{
    /// <summary>Starts the work.</summary>
    TPending Invoke(TItem item, CancellationToken ct);

    /// <summary>Returns the pooled parts of an item that has ended.</summary>
    void Release(TItem item);
}
