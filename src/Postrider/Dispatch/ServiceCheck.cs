using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>Collects the services that handlers and middleware need but the container does not have. Called by generated code.</summary>
/// <remarks>Not thread-safe; one per validation.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ServiceCheck
{
    private readonly IServiceProviderIsService _services;
    private readonly ServiceRegistrations _registrations;
    private readonly Func<Type, bool> _isChecked;
    private readonly List<string> _missing = [];

    internal ServiceCheck(IServiceProvider root, Func<Type, bool> isChecked)
    {
        _services = root.GetService<IServiceProviderIsService>() ?? throw new PostriderException(
            PostriderError.Configuration,
            "ValidateOnStart needs a container that supports IServiceProviderIsService, and this one does not.");
        _registrations = root.GetRequiredService<ServiceRegistrations>();
        _isChecked = isChecked;
    }

    /// <summary>Records a service if it is not registered.</summary>
    /// <param name="message">The message.</param>
    /// <param name="owner">The display name of the handler or middleware.</param>
    /// <param name="made">The class whose constructor takes the service; null for a parameter of a handler method.</param>
    /// <param name="service">The service.</param>
    /// <param name="key">Its key; null for none.</param>
    public void Needs(Type message, string owner, Type? made, Type service, object? key)
    {
        if (!_isChecked(message) || (made is not null && IsMadeElsewhere(made)) || IsRegistered(service, key))
            return;

        var named = key is null ? service.ToString() : $"{service} with the key '{key}'";
        _missing.Add($"{owner} of {message} needs {named}, which is not registered in the container.");
    }

    /// <summary>Throws if a service is missing.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: all that is missing, a line each.</exception>
    internal void ThrowIfMissing()
    {
        if (_missing.Count > 0)
            Throw(string.Join(Environment.NewLine, _missing));
    }

    // An instance or a factory of the application: generated code does not call the constructor.
    private bool IsMadeElsewhere(Type made)
        => _services.IsService(made) && !(_registrations.Find(made) is { } registration && ServiceRegistrations.IsOfItself(registration, made));

    private bool IsRegistered(Type service, object? key)
        => key is null ? _services.IsService(service)
            : _services is IServiceProviderIsKeyedService keyed && keyed.IsKeyedService(service, key);

    [DoesNotReturn]
    private static void Throw(string missing) => throw new PostriderException(PostriderError.Configuration, missing);
}
