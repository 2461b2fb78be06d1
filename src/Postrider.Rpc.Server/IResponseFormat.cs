namespace Postrider.Rpc.Server;

/// <summary>A form that an answer may have.</summary>
internal interface IResponseFormat
{
    /// <summary>Whether a caller that wants this media type, without parameters, is content with the form.</summary>
    bool Produces(ReadOnlySpan<char> type);
}
