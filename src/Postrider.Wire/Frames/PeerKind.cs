namespace Postrider.Wire.Frames;

/// <summary>The kinds of connections between two servers. They differ in the names of some operations.</summary>
public enum PeerKind
{
    /// <summary>One server is a leaf node of the other: <c>LS+</c>, <c>LS-</c>, <c>LMSG</c>.</summary>
    LeafNode,

    /// <summary>Both belong to one cluster: <c>RS+</c>, <c>RS-</c>, <c>RMSG</c>, with the account's name before the subject unless the connection is for one account.</summary>
    Route,
}
