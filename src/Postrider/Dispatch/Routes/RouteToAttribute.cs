namespace Postrider;

/// <summary>Where messages of a type are sent, for containers that ask for it by <c>RouteByAttribute</c> or <c>RouteFrom</c>.</summary>
/// <param name="transport">The name that the transport is added with.</param>
/// <param name="destination">The destination of the handler, in the format of the transport.</param>
/// <remarks>For messages in a library that senders and handlers share. The configuration comes before it.</remarks>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class RouteToAttribute(string transport, string destination) : Attribute
{
    /// <summary>The name that the transport is added with.</summary>
    public string Transport { get; } = transport;

    /// <summary>The destination of the handler, in the format of the transport.</summary>
    public string Destination { get; } = destination;
}
