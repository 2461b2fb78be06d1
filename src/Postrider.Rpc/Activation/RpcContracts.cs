using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Postrider.Rpc;

/// <summary>The contracts of the process: generated code registers each when its assembly is loaded.</summary>
/// <remarks>Thread-safe.</remarks>
public static class RpcContracts
{
    /// <summary>Registers a contract. Called by generated code.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <param name="contract">The generated client and endpoint.</param>
    public static void Register<TService>(RpcContract<TService> contract)
        where TService : class
        => Registered<TService>.Contract = contract;

    /// <summary>Finds a contract.</summary>
    /// <typeparam name="TService">The contract: an interface with <c>[Service]</c> or one that derives from <see cref="IService"/>.</typeparam>
    /// <returns>The generated client and endpoint.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or its project does not reference Postrider.Rpc, which
    /// includes the generator.</exception>
    public static RpcContract<TService> Get<TService>()
        where TService : class
        => Registered<TService>.Contract ?? Load<TService>();

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A module keeps its initializers when it is trimmed; a native program has run them at its start.")]
    private static RpcContract<TService> Load<TService>()
        where TService : class
    {
        // Using the interface alone loads its assembly without running its initializers.
        RuntimeHelpers.RunModuleConstructor(typeof(TService).Module.ModuleHandle);
        return Registered<TService>.Contract ?? throw new InvalidOperationException(
            $"{typeof(TService)} is not a service contract. Add [Service] to the interface, or derive it from IService, and reference the package Postrider.Rpc in the project that declares it.");
    }

    private static class Registered<TService>
        where TService : class
    {
        public static RpcContract<TService>? Contract { get; set; }
    }
}
