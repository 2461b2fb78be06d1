namespace Postrider.Credentials;

/// <summary>How an exported service responds.</summary>
public enum ResponseType
{
    /// <summary>With one message.</summary>
    Singleton,

    /// <summary>With any number of messages.</summary>
    Stream,

    /// <summary>With one response in several messages.</summary>
    Chunked,
}
