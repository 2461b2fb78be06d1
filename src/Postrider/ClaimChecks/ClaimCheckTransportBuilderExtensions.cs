using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Transports;

namespace Postrider.ClaimChecks;

/// <summary>Adds a claim check to a transport.</summary>
public static class ClaimCheckTransportBuilderExtensions
{
    /// <summary>Stores bodies that are too large for the transport separately, and sends a reference in their messages. Receivers fetch them before
    /// the message is read.</summary>
    /// <param name="transport">The transport; every process that sends or receives its messages needs the claim check.</param>
    /// <param name="store">Gets the store; the container that created it disposes it.</param>
    /// <param name="configure">Sets the options; null for the defaults.</param>
    /// <returns>The builder.</returns>
    /// <remarks>A message whose body is missing is dead-lettered with the reason <see cref="DeadLetterReason.BodyMissing"/>. A sender with access to
    /// a binding can have any body of the store fetched, and with <see cref="ClaimCheckOptions.RemoveWhenHandled"/> removed: use a separate store
    /// for untrusted senders. Replies are not stored separately.</remarks>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an option is not valid, or the transport has a claim
    /// check.</exception>
    public static TransportBuilder UseClaimCheck(this TransportBuilder transport, Func<IServiceProvider, IClaimStore> store, Action<ClaimCheckOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(transport);
        ArgumentNullException.ThrowIfNull(store);
        var options = new ClaimCheckOptions();
        configure?.Invoke(options);
        options.Validate();
        var services = transport.Services;
        if (services.Any(service => service.ServiceType == typeof(ClaimCheckOptions) && Equals(service.ServiceKey, transport.Name)))
            throw new PostriderException(PostriderError.Configuration, $"The transport '{transport.Name}' already has a claim check: call UseClaimCheck once.");
        services.AddKeyedSingleton(transport.Name, options);
        for (var i = 0; i < services.Count; i++)
        {
            if (services[i] is not { IsKeyedService: true, KeyedImplementationFactory: { } create } added || added.ServiceType != typeof(ITransport) || !Equals(added.ServiceKey, transport.Name))
                continue;
            services[i] = ServiceDescriptor.KeyedSingleton<ITransport>(transport.Name, (root, key) => new ClaimCheckTransport(
                (ITransport)create(root, key), store(root), options, root.GetService<TimeProvider>() ?? TimeProvider.System,
                root.GetService<ILogger<ClaimCheckTransport>>() ?? (ILogger)NullLogger.Instance));
        }

        return transport;
    }
}
