using Microsoft.CodeAnalysis;

namespace Postrider.Generator.Parsing;

/// <summary>The full names of the library's types.</summary>
internal static class KnownNames
{
    /// <summary>The namespace of the code generated for a project as a whole.</summary>

    internal const string Request = "Postrider.IRequest<TResponse>";
    internal const string Command = "Postrider.ICommand";
    internal const string Notification = "Postrider.INotification";
    internal const string StreamRequest = "Postrider.IStreamRequest<TItem>";
    internal const string RequestHandler = "Postrider.IRequestHandler<TRequest, TResponse>";
    internal const string CommandHandler = "Postrider.ICommandHandler<TCommand>";
    internal const string NotificationHandler = "Postrider.INotificationHandler<TNotification>";
    internal const string StreamHandler = "Postrider.IStreamRequestHandler<TRequest, TItem>";
    internal const string CompatSender = "Postrider.Compat.MediatR.ISender";
    internal const string CompatHandler = "Postrider.Compat.MediatR.IRequestHandler<TRequest, TResponse>";
    internal const string CompatCommandHandler = "Postrider.Compat.MediatR.IRequestHandler<TRequest>";
    internal const string CompatNotificationHandler = "Postrider.Compat.MediatR.INotificationHandler<TNotification>";
    internal const string CompatStreamHandler = "Postrider.Compat.MediatR.IStreamRequestHandler<TRequest, TResponse>";
    internal const string CompatBehaviors = "Postrider.Compat.MediatR.BehaviorsMiddleware`2";
    internal const string CompatCommandBehaviors = "Postrider.Compat.MediatR.CommandBehaviorsMiddleware`1";
    internal const string CompatStreamBehaviors = "Postrider.Compat.MediatR.StreamBehaviorsMiddleware`2";
    internal const string CompatExceptionHandler = "Postrider.Compat.MediatR.IRequestExceptionHandler<TRequest, TResponse, TException>";
    internal const string CompatExceptionAction = "Postrider.Compat.MediatR.IRequestExceptionAction<TRequest, TException>";
    internal const string Middleware = "Postrider.IMiddleware<TRequest, TResponse>";
    internal const string ContextMiddleware = "Postrider.IContextMiddleware<TRequest, TResponse>";
    internal const string StreamMiddleware = "Postrider.IStreamMiddleware<TRequest, TItem>";
    internal const string PreProcessor = "Postrider.IPreProcessor<TRequest>";
    internal const string PostProcessor = "Postrider.IPostProcessor<TRequest, TResponse>";
    internal const string ExceptionHandler = "Postrider.IExceptionHandler<TRequest, TResponse, TException>";
    internal const string ExceptionAction = "Postrider.IExceptionAction<TRequest, TException>";
    internal const string Before = "Postrider.IBeforeHook<TRequest>";
    internal const string After = "Postrider.IAfterHook<TRequest, TResponse>";
    internal const string Finally = "Postrider.IFinallyHook<TRequest>";
    internal const string HandlerAttribute = "Postrider.HandlerAttribute";
    internal const string MiddlewareAttribute = "Postrider.MiddlewareAttribute";
    internal const string UseMiddlewareAttribute = "Postrider.UseMiddlewareAttribute";
    internal const string UseHandlerAttribute = "Postrider.UseHandlerAttribute";
    internal const string HandlesAttribute = "Postrider.Dispatch.HandlesMessageAttribute";
    internal const string PublishAttribute = "Postrider.PublishAttribute";
    internal const string HostAttribute = "Postrider.PostriderHostAttribute";
    internal const string ModuleAttribute = "Postrider.Dispatch.PostriderModuleAttribute";
    internal const string RoutableMessages = "Postrider.Dispatch.RoutableMessages";
    internal const string MessageContext = "Postrider.MessageContext";
    internal const string Keyed = "Postrider.IKeyed";
    internal const string SagaAttribute = "Postrider.Sagas.SagaAttribute";
    internal const string StartsSagaAttribute = "Postrider.Sagas.StartsSagaAttribute";
    internal const string SagaTimeoutAttribute = "Postrider.Sagas.SagaTimeoutAttribute";
    internal const string SagaIdAttribute = "Postrider.Sagas.SagaIdAttribute";
    internal const string CorrelateByAttribute = "Postrider.Sagas.CorrelateByAttribute";
    internal const string SagaContext = "Postrider.Sagas.SagaContext";

    internal static bool IsHandlerContract(INamedTypeSymbol contract) => TypeNames.Definition(contract) is RequestHandler or CommandHandler
        or NotificationHandler or StreamHandler or CompatHandler or CompatCommandHandler or CompatNotificationHandler or CompatStreamHandler;
}
