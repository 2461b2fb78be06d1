namespace Postrider.Flow.Gates;

/// <summary>Defines which items belong together: items with the same key run one after another in the source's order.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
public abstract class ItemKey<TItem>
{
    private protected ItemKey()
    {
    }

    /// <summary>Creates a key from a selector. The key is never boxed.</summary>
    /// <typeparam name="TKey">The key's type.</typeparam>
    /// <param name="selector">Reads the key of an item; called twice per item, so it must be pure.</param>
    /// <param name="comparer">Compares keys.</param>
    public static ItemKey<TItem> By<TKey>(Func<TItem, TKey> selector, IEqualityComparer<TKey>? comparer = null)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(selector);
        return new Typed<TKey>(selector, comparer);
    }

    internal abstract Lanes<TItem> MakeLanes();

    private sealed class Typed<TKey>(Func<TItem, TKey> selector, IEqualityComparer<TKey>? comparer) : ItemKey<TItem>
        where TKey : notnull
    {
        internal override Lanes<TItem> MakeLanes() => new Lanes<TItem, TKey>(selector, comparer);
    }
}
