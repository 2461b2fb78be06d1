using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes the replacements of calls through <c>IDispatcher</c>: a check of the dispatcher's class, then the typed call; any
/// other dispatcher (a double, a decorator) is called as written.</summary>
internal static class InterceptorEmitter
{
    internal static void Emit(SourceProductionContext output, ImmutableArray<CallSiteModel> calls, InterceptorTargets targets)
    {
        if (calls.IsDefaultOrEmpty)
            return;

        var source = new SourceWriter();
        using (source.Block("namespace System.Runtime.CompilerServices"))
        {
            source.Line("[global::System.AttributeUsage(global::System.AttributeTargets.Method, AllowMultiple = true)]");
            source.Line("file sealed class InterceptsLocationAttribute(int version, string data) : global::System.Attribute;");
        }

        using (source.Generated())
        using (source.Block("file static class Interceptors"))
        {
            var index = 0;
            foreach (var group in calls.GroupBy(c => (c.Kind, c.Message, c.Response)))
            {
                foreach (var call in group)
                    source.Line($"[_R::InterceptsLocation({call.Location})]");
                Emit(source, group.First(), index++, targets);
            }
        }

        output.AddSource("Postrider.Interceptors.g.cs", source.ToText());
    }

    private static void Emit(SourceWriter source, CallSiteModel call, int index, InterceptorTargets targets)
    {
        var (parameter, returns, method, typeId) = call.Kind switch
        {
            MessageKind.Notification => (
                "_P::INotification", "_T::ValueTask", "PublishAsync", $"PublishByTypeId<{call.Message}>"),
            MessageKind.Stream => (
                $"_P::IStreamRequest<{call.Response}>",
                $"_G::IAsyncEnumerable<{call.Response}>", "StreamAsync",
                $"StreamByTypeId<{call.Message}, {call.Response}>"),
            MessageKind.Command => (
                "_P::ICommand", "_T::ValueTask", "SendAsync", $"SendByTypeId<{call.Message}, {call.Response}>"),
            _ => (
                $"_P::IRequest<{call.Response}>", $"_T::ValueTask<{call.Response}>", "SendAsync",
                $"SendByTypeId<{call.Message}, {call.Response}>"),
        };
        var entry = targets.Direct.Contains(call.Message);
        var dispatcher = targets.IsHost ? "AppDispatcher" : "_P::Dispatcher";
        var isOurs = targets.IsHost
            ? $"dispatcher.GetType() == typeof({dispatcher})"
            : $"dispatcher is {dispatcher}";
        var message = $"_R::Unsafe.As<{call.Message}>(message)";
        var target = $"_R::Unsafe.As<{dispatcher}>(dispatcher)";
        var sent = entry
            ? $"{target}.Direct({message}, ct)"
            : $"{target}.{typeId}({message}, _P::MessageTypeId<{call.Message}>.Value, ct)";
        if (!entry && call.Kind == MessageKind.Command)
            sent = $"_D::CallState.FromUnit({sent})";
        if (!call.IsSealed)
            isOurs += $" && message.GetType() == typeof({call.Message})";
        source.Line($"internal static {returns} Call{index}(this _P::IDispatcher dispatcher, {parameter} message, _C ct)");
        // Null is passed to the dispatcher too: its method names the parameter.
        source.Line($"    => message is not null && {isOurs} ? {sent} : dispatcher.{method}(message, ct);");
    }
}
