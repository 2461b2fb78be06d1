namespace Postrider;

/// <summary>Where messages of a type are sent, in containers that apply it with <c>RouteByAttribute</c> or <c>RouteFrom</c>.</summary>
/// <param name="transport">The name with which the transport is added.</param>
/// <param name="destination">The destination of the handler, in the format of the transport.</param>
/// <remarks>For messages in a library that senders and handlers share. The configuration takes precedence over it.</remarks>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class RouteToAttribute(string transport, string destination) : Attribute
{
    /// <summary>The name with which the transport is added.</summary>
    public string Transport { get; } = transport;

    /// <summary>The destination of the handler, in the format of the transport.</summary>
    public string Destination { get; } = destination;
}
