namespace Postrider.Transport.Aws;

/// <summary>The kind of the queues and topics of a transport.</summary>
public enum AwsQueueType
{
    /// <summary>Standard queues and topics: any rate, messages may be delivered twice, and their order is usually but not always kept.</summary>
    Standard,

    /// <summary>FIFO queues and topics: the order of each key is kept, and a message that is sent twice within five minutes is stored
    /// once. Their names end with <c>.fifo</c>, which is added where it is missing.</summary>
    Fifo,
}
