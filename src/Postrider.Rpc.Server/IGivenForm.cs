namespace Postrider.Rpc.Server;

/// <summary>A form that an answer may have.</summary>
internal interface IGivenForm
{
    /// <summary>Whether a caller that wants this media type, without parameters, is content with the form.</summary>
    bool Gives(ReadOnlySpan<char> type);
}
