using Microsoft.AspNetCore.Http;

namespace Postrider.Broker.Http;

/// <summary>Decides who may read the monitoring pages.</summary>
internal interface IReadAccess
{
    /// <summary>Whether everyone may read the pages, including scripts of other sites.</summary>
    bool IsOpen { get; }

    /// <summary>Whether a request may read a page; otherwise the response has been written.</summary>
    /// <param name="context">The request.</param>
    /// <param name="page">The page, without the base path.</param>
    ValueTask<bool> IsAllowedAsync(HttpContext context, string page);
}
