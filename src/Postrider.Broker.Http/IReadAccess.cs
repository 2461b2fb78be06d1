using Microsoft.AspNetCore.Http;

namespace Postrider.Broker.Http;

/// <summary>Decides who may read the monitoring pages.</summary>
internal interface IReadAccess
{
    /// <summary>Whether anybody may read the pages, so that scripts of other sites may as well.</summary>
    bool IsOpen { get; }

    /// <summary>Whether a request may read a page; otherwise the answer has been written.</summary>
    /// <param name="context">The request.</param>
    /// <param name="page">The page, without the base path.</param>
    ValueTask<bool> IsAllowedAsync(HttpContext context, string page);
}
