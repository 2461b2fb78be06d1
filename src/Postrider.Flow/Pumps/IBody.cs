namespace Postrider.Flow.Pumps;

/// <summary>What is done with an item, as a struct, so that the call is compiled into the pump's loop.</summary>
/// <typeparam name="TItem">The item.</typeparam>
/// <typeparam name="TPending">The form of the result on its way.</typeparam>
internal interface IBody<TItem, TPending>
{
    /// <summary>Starts the work.</summary>
    TPending Invoke(TItem item, CancellationToken ct);

    /// <summary>The item has ended for good: pooled parts of it go back.</summary>
    void Release(TItem item);
}
