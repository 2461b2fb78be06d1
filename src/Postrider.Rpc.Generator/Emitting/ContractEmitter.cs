using System.Linq;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generators;
using Postrider.Rpc.Generator.Model;

namespace Postrider.Rpc.Generator.Emitting;

/// <summary>Writes a contract's operations and the endpoint of an implementation.</summary>
internal static class ContractEmitter
{
    private const string Library = "global::Postrider.Rpc.";

    internal static void Emit(SourceWriter source, ServiceModel model)
    {
        source.Line($"/// <summary>The service {model.WireName}.</summary>");
        using (source.Block($"{model.Accessibility} static class {model.Name}Contract"))
        {
            for (var i = 0; i < model.Operations.Count; i++)
            {
                if (model.Operations[i].Route is { } route)
                    RouteEmitter.Parameters(source, route, i);
                source.Line($"internal static readonly {Library}Operation{ServiceEmitter.Types(model.Operations[i])} Operation{i} = new({Described(model, model.Operations[i])}){Named(model, i)};");
            }

            source.Line();
            source.Line("/// <summary>Creates an endpoint from an implementation.</summary>");
            source.Line("/// <param name=\"service\">The implementation; calls may run concurrently.</param>");
            source.Line("/// <returns>The service to serve.</returns>");
            using (source.Block($"public static {Library}RpcService Serve({model.Interface} service)"))
            {
                source.Line("global::System.ArgumentNullException.ThrowIfNull(service);");
                source.Line($"return new {Library}RpcService({Text(model.WireName)}, {Text(model.Version)}, new {Library}OperationEndpoint[]");
                source.Line("{");
                for (var i = 0; i < model.Operations.Count; i++)
                    source.Line($"    new {Library}OperationEndpoint{ServiceEmitter.Types(model.Operations[i])}(Operation{i}, (request, items, context, ct) => {Body(model.Operations[i])}),");
                source.Line("});");
            }

            Activated(source, model);
            if (model.Operations.Count > 0 && model.Operations.All(o => o.Dispatch.Length > 0))
                Dispatching(source, model);
        }

        Registration(source, model);
    }

    private static void Activated(SourceWriter source, ServiceModel model)
    {
        source.Line();
        source.Line("/// <summary>Creates an endpoint whose implementation is provided for each call.</summary>");
        source.Line("/// <param name=\"activator\">Provides the implementation.</param>");
        source.Line("/// <returns>The service to serve.</returns>");
        using (source.Block($"public static {Library}RpcService Serve({Library}RpcServiceActivator<{model.Interface}> activator)"))
        {
            source.Line("global::System.ArgumentNullException.ThrowIfNull(activator);");
            source.Line($"return new {Library}RpcService({Text(model.WireName)}, {Text(model.Version)}, new {Library}OperationEndpoint[]");
            source.Line("{");
            for (var i = 0; i < model.Operations.Count; i++)
                source.Line($"    activator.Endpoint(Operation{i}, static (service, request, items, context, ct) => {Body(model.Operations[i])}),");
            source.Line("});");
        }
    }

    // Code that knows only the interface finds its client and its endpoint here: AddRpcClient<T>, MapRpc<T>.
    private static void Registration(SourceWriter source, ServiceModel model)
    {
        source.Line();
        using (source.Block($"file static class {model.Name}Registration"))
        {
            source.Line("[global::System.Runtime.CompilerServices.ModuleInitializer]");
            using (source.Block("internal static void Register()"))
            {
                source.Line($"{Library}RpcContracts.Register(new {Library}RpcContract<{model.Interface}>({Text(model.WireName)}, {Text(model.Version)}, "
                    + $"static channel => new {model.Name}Client(channel), {model.Name}Contract.Serve, {model.Name}Contract.Serve));");
            }
        }
    }

    private static string Body(OperationModel operation)
        => operation.Back.Count > 0 ? PassBack(operation)
            : operation.Shape == ReturnShape.Nothing ? $"{{ {Call(operation)}; return default(global::System.Threading.Tasks.ValueTask<{OperationModel.Unit}>); }}"
            : Call(operation);

    private static void Dispatching(SourceWriter source, ServiceModel model)
    {
        source.Line();
        source.Line("/// <summary>Creates an endpoint whose operations call the dispatcher with its whole pipeline.</summary>");
        source.Line("/// <param name=\"dispatcher\">Receives the messages; one from the root container creates a scope for each message that needs one.</param>");
        source.Line("/// <returns>The service to serve.</returns>");
        using (source.Block($"public static {Library}RpcService Serve(global::Postrider.IDispatcher dispatcher)"))
        {
            source.Line("global::System.ArgumentNullException.ThrowIfNull(dispatcher);");
            source.Line($"return new {Library}RpcService({Text(model.WireName)}, {Text(model.Version)}, new {Library}OperationEndpoint[]");
            source.Line("{");
            for (var i = 0; i < model.Operations.Count; i++)
            {
                source.Line($"    new {Library}OperationEndpoint{ServiceEmitter.Types(model.Operations[i])}(Operation{i}.WithContext(), "
                    + $"(request, items, context, ct) => global::Postrider.Rpc.DispatcherCalls.{Dispatched(model.Operations[i])}(dispatcher, request, context, ct)),");
            }

            source.Line("});");
        }
    }

    private static string Dispatched(OperationModel operation)
        => operation.Dispatch == "PublishAsync" || operation.Result == OperationModel.Unit ? operation.Dispatch : $"{operation.Dispatch}<{operation.Result}>";

    private static string Described(ServiceModel model, OperationModel operation)
    {
        var inputs = string.Join(" | ", operation.Parameters
            .Where(p => p.Role is ParameterRole.Context or ParameterRole.Token)
            .Select(p => $"{Library}SpecialParameters.{(p.Role == ParameterRole.Context ? "Context" : "Token")}").DefaultIfEmpty(Library + "SpecialParameters.None"));
        var make = model.IsWcf ? "static (detail, message) => new global::System.ServiceModel.FaultException<{0}>(detail, message)" : "";
        var faults = string.Concat(operation.Faults.Select(f => $", new {Library}FaultDescription<{f}>({string.Format(make, f)})"));
        return $"{Text(model.WireName)}, {Text(operation.WireName)}, {Library}OperationKind.{operation.Kind}, {inputs}, static codec => {Formatter(operation, 0)}{faults}";
    }

    /// <summary>Additional settings for XML, HTTP and other transports.</summary>
    private static string Named(ServiceModel model, int number)
    {
        var operation = model.Operations[number];
        var names = string.Join(", ", operation.Message.Select(p => Text(p.WireName)));
        var settings = (names.Length > 0 ? $"ParameterNames = new string[] {{ {names} }}, " : "")
            + (Space(model, operation) is { Length: > 0 } space ? $"Namespace = {Text(space)}, " : "")
            + (operation.Contract.Length > 0 ? $"Contract = {Text(operation.Contract)}, " : "")
            + (operation.IsBare ? "IsBare = true, " : "")
            + (operation.Back.Count > 0 ? Back(operation) : operation.ResultName.Length > 0 ? $"ResultNames = new string[] {{ {Text(operation.ResultName)} }}, " : "")
            + (operation.IsBodyOptional ? "IsBodyOptional = true, " : "")
            + (operation.IsIdempotent ? "IsIdempotent = true, " : "")
            + (model.TellsFaults ? "Failure = global::System.ServiceModel.FaultException.Received, " : "")
            + (operation.Action.Length > 0 ? $"Action = {Text(operation.Action)}, " : "")
            + (operation.ReplyAction.Length > 0 ? $"ReplyAction = {Text(operation.ReplyAction)}, " : "")
            + (operation.Route is { } route ? $"Route = {RouteEmitter.Route(operation, route, number)}, " : "")
            + (operation.Metadata.Count > 0 ? $"Metadata = new object[] {{ {string.Join(", ", operation.Metadata)} }}, " : "");
        return settings.Length > 0 ? $" {{ {settings}}}" : "";
    }

    private static string Space(ServiceModel model, OperationModel operation) => operation.XmlNamespace.Length > 0 ? operation.XmlNamespace : model.XmlNamespace;

    private static string Back(OperationModel operation)
    {
        var isNothing = operation.Result == OperationModel.Unit;
        var result = operation.ResultName.Length > 0 ? operation.ResultName : operation.WireName + "Result";
        var names = operation.Back.Select(p => p.WireName);
        var formatter = BackFormatter(operation, 0);
        return $"ResultNames = new string[] {{ {string.Join(", ", (isNothing ? names : names.Prepend(result)).Select(Text))} }}, "
            + $"Response = static codec => {(isNothing ? formatter : $"codec.Combine({Text(result)}, codec.GetFormatter<{operation.Result}>(), {formatter})")}, ";
    }

    private static string BackFormatter(OperationModel operation, int from)
        => from == operation.Back.Count ? $"codec.GetFormatter<{OperationModel.Unit}>()"
            : $"codec.Combine({Text(operation.Back[from].WireName)}, codec.GetFormatter<{operation.Back[from].Type}>(), {BackFormatter(operation, from + 1)})";

    // Variables hold the arguments passed by reference; parameter names cannot start like theirs.
    private static string PassBack(OperationModel operation)
    {
        var back = operation.Back;
        var declared = string.Concat(back.Select((p, i) => $"{p.Type} __{i}{(p.IsRef ? " = " + Received(operation, p) : "")}; "));
        var answer = "default";
        for (var i = back.Count - 1; i >= 0; i--)
            answer = $"new {operation.BackFrom(i)}(__{i}, {answer})";
        var isNothing = operation.Result == OperationModel.Unit;
        return $"{{ {declared}{(isNothing ? "" : "var __result = ")}{Call(operation)}; return new global::System.Threading.Tasks.ValueTask<{operation.Response}>("
            + (isNothing ? answer : $"new {operation.Response}(__result, {answer})") + "); }";
    }

    private static string Received(OperationModel operation, ParameterModel parameter)
    {
        var message = operation.Message;
        return message.Count == 1 ? "request" : "request" + string.Concat(message.TakeWhile(p => p != parameter).Select(_ => ".Rest")) + ".First";
    }

    private static string Formatter(OperationModel operation, int from)
    {
        var message = operation.Message;
        return from == message.Count ? $"codec.GetFormatter<{OperationModel.Unit}>()"
            : from == 0 && message.Count == 1 ? $"codec.GetFormatter<{message[0].Type}>()"
            : $"codec.Combine({Text(message[from].WireName)}, codec.GetFormatter<{message[from].Type}>(), {Formatter(operation, from + 1)})";
    }

    private static string Call(OperationModel operation)
    {
        var at = "request";
        var back = operation.Back.ToList();
        var arguments = operation.Parameters.Select(p =>
        {
            if (p.Passing.Length > 0)
            {
                if (p.IsRef)
                    at += ".Rest";
                return $"{p.Passing}__{back.IndexOf(p)}";
            }

            switch (p.Role)
            {
                case ParameterRole.Items:
                    return "items";
                case ParameterRole.Context:
                    return "context";
                case ParameterRole.Token:
                    return "ct";
                default:
                    if (operation.Message.Count == 1)
                        return "request";
                    var argument = at + ".First";
                    at += ".Rest";
                    return argument;
            }
        });
        var call = $"service.{operation.Method}({string.Join(", ", arguments)})";
        return back.Count > 0 ? call : operation.Shape switch
        {
            ReturnShape.ValueTask or ReturnShape.Task => $"global::Postrider.Rpc.ResultAdapters.ToUnit({call})",
            ReturnShape.Value => $"new global::System.Threading.Tasks.ValueTask<{operation.Result}>({call})",
            ReturnShape.TaskOfValue => $"new global::System.Threading.Tasks.ValueTask<{operation.Result}>({call})",
            _ => call,
        };
    }

    private static string Text(string text) => SymbolDisplay.FormatLiteral(text, quote: true);
}
