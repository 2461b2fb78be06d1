using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Services;

/// <summary>A service and all that its constructor takes, where the container would do nothing else than call constructors.</summary>
internal sealed class ObjectGraph
{
    private readonly IServiceProvider _root;
    private readonly IServiceCollection _registered;
    private readonly Dictionary<ServiceDescriptor, Constructed> _scoped = [];
    private readonly HashSet<ServiceDescriptor> _open = [];
    private Func<object>? _create;

    private ObjectGraph(IServiceProvider root, IServiceCollection registered) => (_root, _registered) = (root, registered);

    /// <summary>Whether all that the service takes are singletons.</summary>
    public bool TakesSingletonsOnly { get; private set; }

    /// <summary>Finds the graph of a scoped or transient service.</summary>
    /// <param name="root">The container.</param>
    /// <param name="service">The service.</param>
    /// <param name="registered">All services of the container.</param>
    /// <returns>The graph; null where a scope makes an observable difference: a type has no single public constructor, comes from a
    /// factory, is disposable, has a key, is not registered (such as <see cref="IServiceProvider"/>), or depends on itself; the
    /// container is not that of Microsoft.Extensions.DependencyInjection and may decorate what it creates; or code cannot be compiled here,
    /// and not all that the service takes are singletons.</returns>
    public static ObjectGraph? Of(IServiceProvider root, ServiceDescriptor service, IServiceCollection registered)
    {
        if (root.GetType().Assembly.GetName().Name != "Microsoft.Extensions.DependencyInjection")
            return null;
        var graph = new ObjectGraph(root, registered);
        if (graph.Construct(service, isShared: false) is not { } constructed)
            return null;
        graph.TakesSingletonsOnly = constructed.TakesSingletonsOnly;
        if (RuntimeFeature.IsDynamicCodeCompiled)
            graph._create = () => graph.Compile(constructed);
        else if (graph.TakesSingletonsOnly)
            graph._create = WithReflection(root, service.ImplementationType!);
        else
            return null;
        return graph;
    }

    /// <summary>Creates the service; scoped objects are created once in each graph.</summary>
    public object Create() => _create!();

    // At the first call, as the container creates singletons when they are needed.
    private object Compile(Constructed service)
    {
        var create = Expression.Lambda<Func<object>>(Expression.Block(_scoped.Values.Select(static scoped => scoped.Variable), service.ToExpression())).Compile();
        var created = create();
        _create = create;
        return created;
    }

    private static Func<object> WithReflection(IServiceProvider root, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type type)
    {
        var factory = ActivatorUtilities.CreateFactory(type, []);
        return () => factory(root, null);
    }

    private Constructed? Construct(ServiceDescriptor service, bool isShared)
    {
        if (service.IsKeyedService || service.ImplementationType is not { } type || !_open.Add(service) || OnlyConstructor(type) is not { } constructor)
            return null;
        var parameters = constructor.GetParameters();
        var arguments = new Part[parameters.Length];
        for (var i = 0; i < arguments.Length; i++)
        {
            if (Argument(parameters[i]) is not { } argument)
                return null;
            arguments[i] = argument;
        }

        _open.Remove(service);
        return new(constructor, arguments, isShared);
    }

    private Part? Argument(ParameterInfo parameter)
    {
        if (parameter.IsDefined(typeof(FromKeyedServicesAttribute)) || parameter.IsDefined(typeof(ServiceKeyAttribute)))
            return null;
        var type = parameter.ParameterType;
        if (_registered.LastOrDefault(service => !service.IsKeyedService && service.ServiceType == type) is not { } service)
            return IsSingletonOfOpenType(type) ? new Singleton(_root, type) : null;
        if (service.Lifetime == ServiceLifetime.Singleton)
            return new Singleton(_root, type);
        if (service.Lifetime == ServiceLifetime.Transient)
            return Construct(service, isShared: false);
        if (!_scoped.TryGetValue(service, out var scoped) && (scoped = Construct(service, isShared: true)) is not null)
            _scoped.Add(service, scoped);
        return scoped;
    }

    // Such as ILogger<T> and IOptions<T>.
    private bool IsSingletonOfOpenType(Type type)
    {
        if (!type.IsGenericType)
            return false;
        var open = type.GetGenericTypeDefinition();
        var services = _registered.Where(service => !service.IsKeyedService && service.ServiceType == open).ToArray();
        return services.Length > 0 && Array.TrueForAll(services, static service => service.Lifetime == ServiceLifetime.Singleton);
    }

    private static ConstructorInfo? OnlyConstructor([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type type)
        => type.IsAssignableTo(typeof(IDisposable)) || type.IsAssignableTo(typeof(IAsyncDisposable))
            || type.IsGenericTypeDefinition || type.IsAbstract || type.IsValueType ? null
            : type.GetConstructors() is [var constructor] ? constructor
            : null;

    private abstract class Part
    {
        public abstract Expression ToExpression();
    }

    private sealed class Singleton(IServiceProvider root, Type type) : Part
    {
        public override Expression ToExpression() => Expression.Constant(root.GetRequiredService(type), type);
    }

    private sealed class Constructed(ConstructorInfo constructor, Part[] arguments, bool isShared) : Part
    {
        public ParameterExpression Variable { get; } = Expression.Variable(constructor.DeclaringType!);

        public bool TakesSingletonsOnly => Array.TrueForAll(arguments, static argument => argument is Singleton);

        public override Expression ToExpression()
        {
            var created = Expression.New(constructor, arguments.Select(static argument => argument.ToExpression()));
            return isShared ? Expression.Coalesce(Variable, Expression.Assign(Variable, created)) : created;
        }
    }
}
