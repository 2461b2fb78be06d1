namespace Postrider.Load.Servers;

/// <summary>How two servers are connected.</summary>
internal enum LinkKind
{
    /// <summary>One is a leaf node of the other.</summary>
    Leaf,

    /// <summary>The same, compressed.</summary>
    CompressedLeaf,

    /// <summary>They are servers of a cluster.</summary>
    Route,

    /// <summary>The same, compressed.</summary>
    CompressedRoute,
}
