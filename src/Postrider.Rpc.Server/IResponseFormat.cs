namespace Postrider.Rpc.Server;

/// <summary>A format that a response can have.</summary>
internal interface IResponseFormat
{
    /// <summary>Whether the format satisfies a requested media type (without parameters).</summary>
    bool Produces(ReadOnlySpan<char> type);
}
