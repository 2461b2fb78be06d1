namespace Postrider.Broker;

/// <summary>How many messages make up the response of an exported service.</summary>
public enum ServiceResponseType
{
    /// <summary>One message.</summary>
    Singleton,

    /// <summary>Any number of messages; an empty one is the last.</summary>
    Stream,

    /// <summary>One message in several parts; an empty one is the last.</summary>
    Chunked,
}
