using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Postrider.Dispatch;

namespace Postrider.Compat.MediatR;

/// <summary>Configuration of <c>AddMediatR</c>. Handlers are found at compile time, so naming assemblies has no effect; behaviors and
/// processors are registered in the order in which they are added.</summary>
public sealed class MediatRServiceConfiguration
{
    private const DynamicallyAccessedMemberTypes Named
        = DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.Interfaces;

    private IServiceCollection? _container;

    internal List<ServiceDescriptor> Services { get; } = [];

    /// <summary>How the handlers of a notification are called when neither its type nor its project sets a strategy.</summary>
    public INotificationPublisher NotificationPublisher { get; set; } = new ForeachAwaitPublisher();

    /// <summary>Type of a publisher that the container creates, in place of <see cref="NotificationPublisher"/>; null to use that. Its
    /// lifetime is <see cref="Lifetime"/>.</summary>
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)]
    public Type? NotificationPublisherType { get; set; }

    /// <summary>For <see cref="NotificationPublisherType"/>. A handler's lifetime is inferred, or set by <see cref="HandlerAttribute"/>.</summary>
    public ServiceLifetime Lifetime { get; set; } = ServiceLifetime.Transient;

    /// <summary>Exists so that existing code compiles: there is no licence to check.</summary>
    public string? LicenseKey { get; set; }

    /// <summary>Present so that existing code compiles: handlers are found at compile time.</summary>
    /// <param name="assembly">Ignored.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration RegisterServicesFromAssembly(Assembly assembly) => this;

    /// <summary>Present so that existing code compiles: handlers are found at compile time.</summary>
    /// <param name="assemblies">Ignored.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration RegisterServicesFromAssemblies(params Assembly[] assemblies) => this;

    /// <summary>Present so that existing code compiles: handlers are found at compile time.</summary>
    /// <typeparam name="T">Ignored.</typeparam>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration RegisterServicesFromAssemblyContaining<T>() => this;

    /// <summary>Present so that existing code compiles: handlers are found at compile time.</summary>
    /// <param name="type">Ignored.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration RegisterServicesFromAssemblyContaining(Type type) => this;

    /// <summary>Adds an open generic behavior.</summary>
    /// <param name="behavior">The class, such as <c>typeof(LoggingBehavior&lt;,&gt;)</c>.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    /// <exception cref="InvalidOperationException">The class is not an open generic one, or does not implement the interface.</exception>
    public MediatRServiceConfiguration AddOpenBehavior(
        [DynamicallyAccessedMembers(Named)] Type behavior,
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddOpen(typeof(IPipelineBehavior<,>), behavior, lifetime);

    /// <summary>Adds a behavior.</summary>
    /// <param name="service">The closed interface, or the open one with an open class.</param>
    /// <param name="behavior">The class.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddBehavior(
        Type service,
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type behavior,
        ServiceLifetime lifetime = ServiceLifetime.Transient)
    {
        Services.Add(new(service, behavior, lifetime));
        return this;
    }

    /// <summary>Adds an open generic pre-processor.</summary>
    /// <param name="processor">The class.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    /// <exception cref="InvalidOperationException">The class is not an open generic one, or does not implement the interface.</exception>
    public MediatRServiceConfiguration AddOpenRequestPreProcessor(
        [DynamicallyAccessedMembers(Named)] Type processor,
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddOpen(typeof(IRequestPreProcessor<>), processor, lifetime);

    /// <summary>Adds an open generic post-processor.</summary>
    /// <param name="processor">The class.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    /// <exception cref="InvalidOperationException">The class is not an open generic one, or does not implement the interface.</exception>
    public MediatRServiceConfiguration AddOpenRequestPostProcessor(
        [DynamicallyAccessedMembers(Named)] Type processor,
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddOpen(typeof(IRequestPostProcessor<,>), processor, lifetime);

    /// <summary>Adds a behavior by its types.</summary>
    /// <typeparam name="TService">The closed interface.</typeparam>
    /// <typeparam name="TBehavior">The class.</typeparam>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddBehavior<
        TService, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TBehavior>(
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddBehavior(typeof(TService), typeof(TBehavior), lifetime);

    /// <summary>Adds an open generic stream behavior.</summary>
    /// <param name="behavior">The class.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    /// <exception cref="InvalidOperationException">The class is not an open generic one, or does not implement the interface.</exception>
    public MediatRServiceConfiguration AddOpenStreamBehavior(
        [DynamicallyAccessedMembers(Named)] Type behavior,
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddOpen(typeof(IStreamPipelineBehavior<,>), behavior, lifetime);

    /// <summary>Adds a stream behavior by its types.</summary>
    /// <typeparam name="TService">The closed interface.</typeparam>
    /// <typeparam name="TBehavior">The class.</typeparam>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddStreamBehavior<
        TService, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TBehavior>(
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddBehavior<TService, TBehavior>(lifetime);

    /// <summary>Adds a pre-processor by its types.</summary>
    /// <typeparam name="TService">The closed interface.</typeparam>
    /// <typeparam name="TProcessor">The class.</typeparam>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddRequestPreProcessor<
        TService, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProcessor>(
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddBehavior<TService, TProcessor>(lifetime);

    /// <summary>Adds a post-processor by its types.</summary>
    /// <typeparam name="TService">The closed interface.</typeparam>
    /// <typeparam name="TProcessor">The class.</typeparam>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddRequestPostProcessor<
        TService, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TProcessor>(
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddBehavior<TService, TProcessor>(lifetime);

    /// <summary>Adds a behavior for every message type that it implements.</summary>
    /// <typeparam name="TBehavior">The class.</typeparam>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddBehavior<[DynamicallyAccessedMembers(Named)] TBehavior>(
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddNamed(typeof(IPipelineBehavior<,>), typeof(TBehavior), lifetime);

    /// <summary>Adds a stream behavior for every message type that it implements.</summary>
    /// <typeparam name="TBehavior">The class.</typeparam>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddStreamBehavior<[DynamicallyAccessedMembers(Named)] TBehavior>(
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddNamed(typeof(IStreamPipelineBehavior<,>), typeof(TBehavior), lifetime);

    /// <summary>Adds a pre-processor for every message type that it implements.</summary>
    /// <typeparam name="TProcessor">The class.</typeparam>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddRequestPreProcessor<[DynamicallyAccessedMembers(Named)] TProcessor>(
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddNamed(typeof(IRequestPreProcessor<>), typeof(TProcessor), lifetime);

    /// <summary>Adds a post-processor for every message type that it implements.</summary>
    /// <typeparam name="TProcessor">The class.</typeparam>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddRequestPostProcessor<[DynamicallyAccessedMembers(Named)] TProcessor>(
        ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddNamed(typeof(IRequestPostProcessor<,>), typeof(TProcessor), lifetime);

    /// <summary>Adds a behavior for every message type that it implements.</summary>
    /// <param name="implementation">The class.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    /// <exception cref="InvalidOperationException">The class is not a behavior.</exception>
    public MediatRServiceConfiguration AddBehavior(
        [DynamicallyAccessedMembers(Named)] Type implementation, ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddNamed(typeof(IPipelineBehavior<,>), implementation, lifetime);

    /// <summary>Adds a stream behavior for every message type that it implements.</summary>
    /// <param name="implementation">The class.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    /// <exception cref="InvalidOperationException">The class is not a stream behavior.</exception>
    public MediatRServiceConfiguration AddStreamBehavior(
        [DynamicallyAccessedMembers(Named)] Type implementation, ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddNamed(typeof(IStreamPipelineBehavior<,>), implementation, lifetime);

    /// <summary>Adds a pre-processor for every message type that it implements.</summary>
    /// <param name="implementation">The class.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    /// <exception cref="InvalidOperationException">The class is not a pre-processor.</exception>
    public MediatRServiceConfiguration AddRequestPreProcessor(
        [DynamicallyAccessedMembers(Named)] Type implementation, ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddNamed(typeof(IRequestPreProcessor<>), implementation, lifetime);

    /// <summary>Adds a post-processor for every message type that it implements.</summary>
    /// <param name="implementation">The class.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    /// <exception cref="InvalidOperationException">The class is not a post-processor.</exception>
    public MediatRServiceConfiguration AddRequestPostProcessor(
        [DynamicallyAccessedMembers(Named)] Type implementation, ServiceLifetime lifetime = ServiceLifetime.Transient)
        => AddNamed(typeof(IRequestPostProcessor<,>), implementation, lifetime);

    /// <summary>Sets the options of <c>AddPostrider</c>; called by the generated <c>AddMediatR</c>.</summary>
    /// <param name="options">The dispatcher's options.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void Apply(DispatchOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (_container is { } container)
            options.ChoosePublisher = () => HasPublisher(container) ? PublisherBridge.Publish : null;
    }

    /// <summary>Registers the publisher, unless the application has its own in the container.</summary>
    internal void AddPublisher(IServiceCollection services)
    {
        _container = services;
        if (NotificationPublisherType is not null)
            services.TryAdd(new ServiceDescriptor(typeof(INotificationPublisher), NotificationPublisherType, Lifetime));
        else
            services.TryAddSingleton(NotificationPublisher);
    }

    // Resolved at the first publish: the application may register its own after AddMediatR.
    private static bool HasPublisher(IServiceCollection services)
    {
        var publisher = services.Last(service => service.ServiceType == typeof(INotificationPublisher) && !service.IsKeyedService);
        return (publisher.ImplementationType ?? publisher.ImplementationInstance?.GetType()) != typeof(ForeachAwaitPublisher);
    }

    private MediatRServiceConfiguration AddOpen(
        Type definition, [DynamicallyAccessedMembers(Named)] Type implementation, ServiceLifetime lifetime)
    {
        if (!implementation.IsGenericTypeDefinition)
            throw new InvalidOperationException($"{implementation} is not an open generic class, such as typeof(MyBehavior<,>).");
        if (!implementation.GetInterfaces().Any(contract => contract.IsGenericType && contract.GetGenericTypeDefinition() == definition))
            throw new InvalidOperationException($"{implementation} does not implement {definition}.");

        Services.Add(new(definition, implementation, lifetime));
        return this;
    }

    private MediatRServiceConfiguration AddNamed(
        Type definition, [DynamicallyAccessedMembers(Named)] Type implementation, ServiceLifetime lifetime)
    {
        var services = implementation.GetInterfaces()
            .Where(contract => contract.IsGenericType && contract.GetGenericTypeDefinition() == definition).ToList();
        if (services.Count == 0)
            throw new InvalidOperationException($"{implementation} does not implement {definition}.");

        foreach (var service in services)
            Services.Add(new(service, implementation, lifetime));
        return this;
    }
}
