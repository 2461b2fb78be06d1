using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Compat.MediatR;

/// <summary>What is said to <c>AddMediatR</c>. Handlers are found at compile time, so naming assemblies does nothing; behaviors
/// and processors are registered as they are named.</summary>
public sealed class MediatRServiceConfiguration
{
    internal List<ServiceDescriptor> Services { get; } = [];

    /// <summary>Kept so that code compiles: handlers are found at compile time.</summary>
    /// <param name="assembly">Not used.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration RegisterServicesFromAssembly(Assembly assembly) => this;

    /// <summary>Kept so that code compiles: handlers are found at compile time.</summary>
    /// <param name="assemblies">Not used.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration RegisterServicesFromAssemblies(params Assembly[] assemblies) => this;

    /// <summary>Kept so that code compiles: handlers are found at compile time.</summary>
    /// <typeparam name="T">Not used.</typeparam>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration RegisterServicesFromAssemblyContaining<T>() => this;

    /// <summary>Adds an open generic behavior.</summary>
    /// <param name="behavior">The class, such as <c>typeof(LoggingBehavior&lt;,&gt;)</c>.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddOpenBehavior(
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type behavior,
        ServiceLifetime lifetime = ServiceLifetime.Transient)
    {
        Services.Add(new(typeof(IPipelineBehavior<,>), behavior, lifetime));
        return this;
    }

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
    public MediatRServiceConfiguration AddOpenRequestPreProcessor(
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type processor,
        ServiceLifetime lifetime = ServiceLifetime.Transient)
    {
        Services.Add(new(typeof(IRequestPreProcessor<>), processor, lifetime));
        return this;
    }

    /// <summary>Adds an open generic post-processor.</summary>
    /// <param name="processor">The class.</param>
    /// <param name="lifetime">How long an instance lives.</param>
    /// <returns>This configuration.</returns>
    public MediatRServiceConfiguration AddOpenRequestPostProcessor(
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type processor,
        ServiceLifetime lifetime = ServiceLifetime.Transient)
    {
        Services.Add(new(typeof(IRequestPostProcessor<,>), processor, lifetime));
        return this;
    }
}
