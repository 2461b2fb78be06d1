using System.Linq;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generators;
using Postrider.Rpc.Generator.Model;

namespace Postrider.Rpc.Generator.Emitting;

/// <summary>Writes the class that implements a contract by calls over a channel.</summary>
internal static class ClientEmitter
{
    internal static void Emit(SourceWriter source, ServiceModel model)
    {
        source.Line($"/// <summary>Calls the service {model.WireName} over a channel.</summary>");
        using (source.Block($"{model.Accessibility} sealed class {model.Name}Client : {model.Interface}"))
        {
            for (var i = 0; i < model.Operations.Count; i++)
                source.Line($"private readonly global::Postrider.Rpc.OperationInvoker{ServiceEmitter.Types(model.Operations[i])} _call{i};");
            source.Line();
            source.Line("/// <summary>Prepares the calls.</summary>");
            source.Line("/// <param name=\"channel\">The channel to the service; not owned.</param>");
            using (source.Block($"public {model.Name}Client(global::Postrider.Rpc.RpcChannel channel)"))
            {
                source.Line("global::System.ArgumentNullException.ThrowIfNull(channel);");
                for (var i = 0; i < model.Operations.Count; i++)
                    source.Line($"_call{i} = channel.Bind({model.Name}Contract.Operation{i});");
            }

            for (var i = 0; i < model.Operations.Count; i++)
                Method(source, model.Operations[i], i);
            if (model.IsDisposable)
            {
                source.Line();
                source.Line("/// <summary>Does nothing: the caller that created the channel disposes it.</summary>");
                source.Line("void global::System.IDisposable.Dispose() { }");
            }
        }
    }

    private static void Method(SourceWriter source, OperationModel operation, int i)
    {
        var parameters = string.Join(", ", operation.Parameters.Select(p =>
            $"{p.Passing}{(p.Role == ParameterRole.Items ? $"global::System.Collections.Generic.IAsyncEnumerable<{p.Type}>" : p.Type)} {p.Name}{(p.Default.Length > 0 ? " = " + p.Default : "")}"));
        // A parameter may have the same name.
        var call = $"this._call{i}.{(operation.Shape == ReturnShape.Stream ? "StreamAsync" : "CallAsync")}({Request(operation, 0)}, "
            + $"{Items(operation)}, {Of(operation, ParameterRole.Context)}, {Of(operation, ParameterRole.Token)})";
        source.Line();
        source.Line("/// <inheritdoc/>");
        source.Line($"public {Returned(operation)} {operation.Method}({parameters})");
        if (operation.Back.Count > 0)
        {
            PassBack(source, operation, call);
            return;
        }

        source.Line("    => " + operation.Shape switch
        {
            ReturnShape.ValueTask => $"global::Postrider.Rpc.ResultAdapters.FromUnit({call});",
            ReturnShape.Task or ReturnShape.TaskOfValue => $"{call}.AsTask();",
            ReturnShape.Nothing or ReturnShape.Value => $"global::Postrider.Rpc.ResultAdapters.Wait({call});",
            _ => call + ";",
        });
    }

    private static void PassBack(SourceWriter source, OperationModel operation, string call)
    {
        source.Line("{");
        source.Line($"    var __answer = global::Postrider.Rpc.ResultAdapters.Wait({call});");
        var at = operation.Result == OperationModel.Unit ? "__answer" : "__answer.Rest";
        foreach (var parameter in operation.Back)
        {
            source.Line($"    {parameter.Name} = {at}.First;");
            at += ".Rest";
        }

        if (operation.Result != OperationModel.Unit)
            source.Line("    return __answer.First;");
        source.Line("}");
    }

    private static string Returned(OperationModel operation) => operation.Shape switch
    {
        ReturnShape.Nothing => "void",
        ReturnShape.Value => operation.Result,
        ReturnShape.ValueTask => "global::System.Threading.Tasks.ValueTask",
        ReturnShape.Task => "global::System.Threading.Tasks.Task",
        ReturnShape.ValueTaskOfValue => $"global::System.Threading.Tasks.ValueTask<{operation.Result}>",
        ReturnShape.TaskOfValue => $"global::System.Threading.Tasks.Task<{operation.Result}>",
        _ => $"global::System.Collections.Generic.IAsyncEnumerable<{operation.Result}>",
    };

    private static string Request(OperationModel operation, int from)
    {
        var message = operation.Message;
        return from == 0 && message.Count == 1 ? message[0].Name
            : from == message.Count ? "default"
            : $"new {operation.Arguments(from)}({message[from].Name}, {Request(operation, from + 1)})";
    }

    // Without its items the call would never end: the server waits for them.
    private static string Items(OperationModel operation)
        => operation.Parameters.FirstOrDefault(p => p.Role == ParameterRole.Items) is { } items ? $"{items.Name} ?? throw new global::System.ArgumentNullException({SymbolDisplay.FormatLiteral(items.WireName, quote: true)})" : "default";

    private static string Of(OperationModel operation, ParameterRole role) => operation.Parameters.FirstOrDefault(p => p.Role == role)?.Name ?? "default";
}
