namespace Postrider.Envelopes;

/// <summary>How a CloudEvent is written into a message of a transport.</summary>
public enum CloudEventForm
{
    /// <summary>The body stays as it is, and each attribute is a header.</summary>
    Binary,

    /// <summary>The body is a JSON document with the attributes and the data: <c>application/cloudevents+json</c>.</summary>
    Structured,
}
