using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>The settings of the project as a whole.</summary>
/// <param name="Name">The assembly's name.</param>
/// <param name="IsHost">Whether it gets <c>AddPostrider</c> and a dispatcher.</param>
/// <param name="References">Module classes of the projects it refers to.</param>
/// <param name="Middleware">Middleware that the assembly's attributes apply.</param>
/// <param name="Handlers">Handlers that the assembly's attributes add.</param>
/// <param name="Foreign">The message types that the referenced modules handle.</param>
/// <param name="HasCompat">The MediatR package is referenced: <c>AddMediatR</c> is written too.</param>
/// <param name="OpenHandlers">Handlers of referenced projects that are open for any notification.</param>
/// <param name="Notifications">Notifications of referenced projects.</param>
/// <param name="Strategy">The default publish strategy as a C# expression, or empty.</param>
internal sealed record ProjectModel(
    string Name,
    bool IsHost,
    EquatableArray<string> References,
    EquatableArray<MiddlewareModel> Middleware,
    EquatableArray<HandlerModel> Handlers,
    EquatableArray<ForeignMessageModel> Foreign,
    string Strategy,
    bool HasCompat,
    EquatableArray<OpenHandlerModel> OpenHandlers,
    EquatableArray<NotificationModel> Notifications);
