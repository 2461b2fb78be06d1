using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Dispatch.Routes;

/// <summary>The way of a route, whatever its message is.</summary>
/// <param name="Transport">Finds the transport in the container.</param>
/// <param name="Serializers">Finds the formats.</param>
/// <param name="Target">The destination, and how to send.</param>
/// <param name="TransportName">The transport's name; null for one that was not added with a name.</param>
/// <param name="Source">Where the route was declared, as text.</param>
internal sealed record RouteWay(
    Func<IServiceProvider, ITransport> Transport, Func<IServiceProvider, ISerializerProvider> Serializers, SendTarget Target, string? TransportName, string Source)
{
    internal static RouteWay Of(Func<IServiceProvider, ITransport> transport, ISerializerProvider serializers, SendTarget target, string source)
    {
        ArgumentNullException.ThrowIfNull(transport);
        ArgumentNullException.ThrowIfNull(serializers);
        ArgumentNullException.ThrowIfNull(target);
        return new(transport, _ => serializers, target, null, source);
    }

    internal static RouteWay Named(string transport, ISerializerProvider serializers, SendTarget target, Type message, string source)
    {
        ArgumentNullException.ThrowIfNull(serializers);
        return Named(transport, target, message, source) with { Serializers = _ => serializers };
    }

    /// <summary>A route over a transport of the container, in the formats with which it was added.</summary>
    internal static RouteWay Named(string transport, SendTarget target, Type message, string source)
    {
        ArgumentException.ThrowIfNullOrEmpty(transport);
        ArgumentNullException.ThrowIfNull(target);
        return new(Find<ITransport>, Find<ISerializerProvider>, target with { TransportName = transport }, transport, source);

        T Find<T>(IServiceProvider services)
            where T : class
            => services.GetKeyedService<T>(transport) ?? throw NotAdded(message, transport, services.GetService<AddedTransports>());
    }

    /// <summary>The route defined by the attribute of a message; null if it has none.</summary>
    internal static RouteWay? OfAttribute(Type message)
        => message.GetCustomAttribute<RouteToAttribute>(inherit: false) is { } route
            ? Named(route.Transport, new SendTarget(route.Destination), message, $"[RouteTo] of {message}")
            : null;

    /// <summary>The error of a route over a transport that was not added.</summary>
    /// <param name="message">The message.</param>
    /// <param name="transport">The name in the route.</param>
    /// <param name="added">The transports that were added; null for none.</param>
    internal static PostriderException NotAdded(Type message, string transport, AddedTransports? added) => new(
        PostriderError.Configuration, $"{message} is routed over the transport '{transport}', which was not added. {AddedTransports.Hint(added, transport)}");

    /// <summary>Opens the route of a message.</summary>
    /// <typeparam name="T">What sends along it.</typeparam>
    /// <param name="message">The message.</param>
    /// <param name="open">Creates the sender.</param>
    /// <exception cref="PostriderException">The route is not valid; the text names it.</exception>
    internal T Open<T>(Type message, Func<T> open)
    {
        try
        {
            return open();
        }
        catch (PostriderException invalid) when (invalid.Error is PostriderError.Codec or PostriderError.Configuration && !invalid.Message.StartsWith(message.ToString(), StringComparison.Ordinal))
        {
            var over = TransportName is null ? "" : $" over the transport '{TransportName}'";
            throw new PostriderException(invalid.Error, $"{message} is routed to '{Target.Destination}'{over} by {Source}, which is not possible: {invalid.Message}", invalid);
        }
    }
}
