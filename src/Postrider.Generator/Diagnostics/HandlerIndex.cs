using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>All handlers and middleware of a compilation, by symbol; created once per compilation, on first use.</summary>
internal sealed class HandlerIndex
{
    private readonly Dictionary<string, List<(ISymbol Symbol, HandlerModel Model)>> _handlers = [];

    // Open handlers by the definition of their message.
    private readonly Dictionary<string, (INamedTypeSymbol Handler, INamedTypeSymbol Message)> _open = [];

    private readonly HashSet<string> _routed;
    private readonly Lazy<HashSet<string>> _correlated;

    private HandlerIndex(Compilation compilation, CancellationToken ct)
    {
        Project = Projects.Read(compilation, ct);
        Visit(compilation.Assembly.GlobalNamespace, ct);
        foreach (var handler in Project.Handlers)
            Add(compilation.Assembly, handler);
        foreach (var foreign in Project.Foreign)
            HandledElsewhere.Add(foreign.Message.Full);
        _routed = RegisteredTypes.Routed(compilation, ct);
        _correlated = new(() => RegisteredTypes.Correlated(compilation, ct));
    }

    internal ProjectModel Project { get; }

    internal HashSet<string> HandledElsewhere { get; } = [];

    /// <summary>The middleware of this project.</summary>
    internal List<MiddlewareModel> Middleware { get; } = [];

    internal IEnumerable<HandlerModel> All => _handlers.Values.SelectMany(h => h.Select(x => x.Model));

    internal string Places => string.Join(", ", new[] { Project.Name }.Concat(
        Project.References.Select(r => r.Substring(r.LastIndexOf('.') + 1).Replace("Module_", ""))));

    internal static HandlerIndex Make(Compilation compilation, CancellationToken ct) => new(compilation, ct);

    internal bool IsRouted(string message) => _routed.Contains(message);

    /// <summary>Whether the settings of a saga read its id from a message.</summary>
    internal bool IsCorrelated(ITypeSymbol message) => _correlated.Value.Contains(TypeNames.Full(message));

    internal List<(ISymbol Symbol, HandlerModel Model)> Of(string message)
        => _handlers.TryGetValue(message, out var found) ? found : [];

    /// <summary>Whether a message of this type, a batch of it, or a base class of it has a handler somewhere.</summary>
    internal bool IsHandled(ITypeSymbol message)
    {
        var batch = $"global::Postrider.MessageBatch<{TypeNames.Full(message)}>";
        if (_handlers.ContainsKey(batch) || HandledElsewhere.Contains(batch))
            return true;
        for (var type = message; type is not null; type = type.BaseType)
        {
            var name = TypeNames.Full(type);
            if (_handlers.ContainsKey(name) || HandledElsewhere.Contains(name) || _routed.Contains(name))
                return true;
        }

        return false;
    }

    /// <summary>The advice for a message without a handler.</summary>
    internal string Advice(INamedTypeSymbol message)
    {
        if (!message.IsGenericType || !_open.TryGetValue(TypeNames.Definition(message), out var open))
            return "write a class that implements the handler's interface, or a method with [Handler]";

        var arguments = open.Handler.TypeParameters.Select(parameter => Array.FindIndex([.. open.Message.TypeArguments], argument => SymbolEqualityComparer.Default.Equals(argument, parameter))).ToList();
        return arguments.Contains(-1)
            ? $"{TypeNames.Display(open.Handler)} is open; close it with [assembly: UseHandler(typeof(...))]"
            : $"{TypeNames.Display(open.Handler)} is open; close it with [assembly: UseHandler(typeof({open.Handler.Name}<{string.Join(", ", arguments.Select(i => TypeNames.Display(message.TypeArguments[i])))}>))]";
    }

    private void Visit(INamespaceOrTypeSymbol container, CancellationToken ct)
    {
        foreach (var member in container.GetMembers())
        {
            ct.ThrowIfCancellationRequested();
            switch (member)
            {
                case INamespaceSymbol space:
                    Visit(space, ct);
                    break;
                case INamedTypeSymbol type:
                    foreach (var handler in Handlers.OfClass(type))
                        Add(type, handler);
                    if (type.TypeParameters.Length > 0)
                        AddOpen(type);
                    if (SagaReader.IsSaga(type) && SagaReader.Of(type, ct) is { } saga)
                    {
                        foreach (var handled in saga.Methods)
                            Add(type, handled.Handler);
                    }

                    if (TypeNames.Attribute(type, KnownNames.MiddlewareAttribute) is { } applied)
                        Middleware.AddRange(Middlewares.Read(type, applied));
                    Visit(type, ct);
                    break;
                case IMethodSymbol method when TypeNames.Attribute(method, KnownNames.HandlerAttribute) is { } attribute
                    && Handlers.OfMethod(method, attribute, ct) is { } model:
                    Add(method, model);
                    break;
            }
        }
    }

    private void AddOpen(INamedTypeSymbol type)
    {
        foreach (var contract in type.AllInterfaces)
        {
            if (KnownNames.IsHandlerContract(contract) && contract.TypeArguments[0] is INamedTypeSymbol { IsGenericType: true } message)
                _open[TypeNames.Definition(message)] = (type, message);
        }
    }

    private void Add(ISymbol symbol, HandlerModel model)
    {
        if (!_handlers.TryGetValue(model.Message.Full, out var list))
            _handlers.Add(model.Message.Full, list = []);

        // A class that is found counts as one handler, even if [assembly: UseHandler] names it too.
        if (list.All(known => !known.Model.Equals(model)))
            list.Add((symbol, model));
    }
}
