namespace Postrider.Broker.Streams;

/// <summary>Names in a stream's folder.</summary>
internal static class StreamFolder
{
    /// <summary>The configuration: a folder without it is no stream.</summary>
    public const string MetadataName = "meta.json";

    /// <summary>The folder of the messages.</summary>
    public const string MessagesName = "msgs";

    /// <summary>The folder of the consumers' folders.</summary>
    public const string ConsumersName = "obs";

    /// <summary>The folder of an account's streams.</summary>
    public const string StreamsName = "streams";
}
